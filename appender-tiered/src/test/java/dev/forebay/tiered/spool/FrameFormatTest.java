package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.util.HexFormat;
import java.util.zip.CRC32C;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class FrameFormatTest {
  private static final InstanceId INSTANCE = InstanceId.parse("000102030405060708090a0b0c0d0e0f");

  private final FrameFormat format = new FrameFormat(INSTANCE);

  @Test
  void aFrameIsLaidOutAsDocumented() {
    ByteBuffer buffer = FrameFormat.directBuffer(40);
    format.putFrame(buffer, 8, new byte[] {9, 'a', 'b', 'c', 9}, 1, 3, 4, 0x123456L);

    CRC32C crc = new CRC32C();
    crc.update(INSTANCE.bytes());
    crc.update(HexFormat.of().parseHex("13000000" + "5634120000000004" + "616263"));
    assertThat(hex(buffer, 8, 4)).isEqualTo("13000000");
    assertThat(buffer.getInt(12)).isEqualTo((int) crc.getValue());
    assertThat(hex(buffer, 16, 16)).isEqualTo("5634120000000004" + "616263" + "0000000000");
    assertThat(hex(buffer, 0, 8)).isEqualTo("0000000000000000");
    assertThat(hex(buffer, 32, 8)).isEqualTo("0000000000000000");
    assertThat(FrameFormat.frameBytes(3)).isEqualTo(24);
  }

  @Test
  void paddingOverwritesWhatWasThere() {
    ByteBuffer buffer = FrameFormat.directBuffer(24);
    for (int i = 0; i < 24; i++) {
      buffer.put(i, (byte) 0xFF);
    }
    format.putFrame(buffer, 0, new byte[] {'a'}, 0, 1, 0, 0);
    assertThat(hex(buffer, 16, 8)).isEqualTo("6100000000000000");
  }

  @Test
  void aSegmentHeaderIsLaidOutAsDocumented() {
    ByteBuffer buffer = FrameFormat.directBuffer(64);
    FrameFormat.putHeader(buffer, 1, INSTANCE, 0x0102, 4096, 0x0304);

    assertThat(hex(buffer, 0, 60))
        .isEqualTo(
            "464f52454241590a" // FOREBAY and a line feed
                + "01000000"
                + "40000000"
                + "000102030405060708090a0b0c0d0e0f"
                + "0201000000000000"
                + "00100000"
                + "00000000"
                + "0403000000000000"
                + "00000000");
    CRC32C crc = new CRC32C();
    crc.update(HexFormat.of().parseHex(hex(buffer, 0, 60)));
    assertThat(buffer.getInt(60)).isEqualTo((int) crc.getValue());
    assertThat(FrameFormat.isHeader(buffer)).isTrue();
    assertThat(FrameFormat.headerFault(buffer, INSTANCE, 0x0102)).isNull();
    assertThat(FrameFormat.headerFault(buffer, INSTANCE, 0x0103)).contains("first sequence 258");
    assertThat(FrameFormat.segmentBytes(buffer)).isEqualTo(4096);
    assertThat(FrameFormat.timeMs(buffer)).isEqualTo(0x0304);
  }

  @Test
  void zerosAreNeitherAHeaderNorAFrame() {
    ByteBuffer zeros = FrameFormat.directBuffer(64);
    assertThat(FrameFormat.isHeader(zeros)).isFalse();
    assertThat(FrameFormat.length(zeros, 0)).isLessThan(FrameFormat.FRAME_HEADER_BYTES);
  }

  @Test
  void theLongestPayloadDoesNotOverflow() {
    assertThat(FrameFormat.frameBytes(Integer.MAX_VALUE)).isEqualTo((1L << 31) + 16);
  }

  @Test
  void anInstanceIdIsTheSameInBothForms() {
    assertThat(INSTANCE.toString()).isEqualTo("000102030405060708090a0b0c0d0e0f");
    assertThat(InstanceId.of(INSTANCE.bytes())).isEqualTo(INSTANCE);
    assertThat(InstanceId.random()).isNotEqualTo(InstanceId.random());
  }

  private static String hex(ByteBuffer buffer, int from, int bytes) {
    byte[] copy = new byte[bytes];
    buffer.get(from, copy);
    return HexFormat.of().formatHex(copy);
  }
}
