package dev.forebay.tiered.flight;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Tag;
import net.jqwik.api.constraints.Size;

/** Records of a loop as they are put together and taken apart, whatever stands in them. */
@Tag("once")
class RecordLayoutTest {

  @Property
  void whatIsPutIsFound(@ForAll String key, @ForAll byte[] event) {
    RecordLayout layout = new RecordLayout();
    byte[] value = RecordLayout.keyBytes(key);
    layout.put(value, event);
    ByteBuffer record = ByteBuffer.wrap(layout.bytes(), 0, layout.length());
    int offset = RecordLayout.eventOffset(record, 0, layout.length());

    assertThat(layout.length() - offset).isEqualTo(event.length);
    assertThat(record.duplicate().position(offset)).isEqualTo(ByteBuffer.wrap(event));
    assertThat(RecordLayout.hasKey(record, 0, offset, value)).isTrue();
    byte[] other = (key + "x").getBytes(StandardCharsets.UTF_8);
    assertThat(RecordLayout.hasKey(record, 0, offset, other)).isFalse();
  }

  @Property
  void noBytesMakeAReaderLeaveTheRecord(
      @ForAll @Size(max = 600) byte[] bytes, @ForAll @Size(max = 300) byte[] key) {
    ByteBuffer record = ByteBuffer.wrap(bytes);
    int offset = RecordLayout.eventOffset(record, 0, bytes.length);
    assertThat(offset == -1 || (offset >= RecordLayout.PREFIX_BYTES && offset <= bytes.length))
        .isTrue();
    if (offset >= 0) {
      RecordLayout.hasKey(record, 0, offset, key);
    }
  }
}
