package dev.forebay.tiered.spool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class ByteFlipTest {
  private static final int RECORDS = 12;
  private static final int HEADER_BYTES = 64;
  private static final int[] FLIPS = {0x01, 0x80, 0xFF};

  @TempDir Path base;

  @Test
  void anyDamagedByteCostsAtMostItsRecordAndIsCountedExactly() throws IOException {
    SpoolDirectory directory = Spools.open(new NioDisk(), base);
    Spool spool = directory.createSpool(new SpoolLimits(1 << 20, 320));
    Spools.fill(spool, 0, RECORDS);
    spool.close();
    List<Path> segments = Spools.segments(spool.path());
    assertThat(segments).hasSizeGreaterThan(1);

    int flips = 0;
    int firstRecord = 0;
    for (Path segment : segments) {
      byte[] whole = Files.readAllBytes(segment);
      for (int at = 0; at < whole.length; at++) {
        for (int flip : FLIPS) {
          byte[] damaged = whole.clone();
          damaged[at] ^= (byte) flip;
          Files.write(segment, damaged);
          RecordSource orphan = Spools.orphan(directory);
          assertThat(Spools.drain(orphan))
              .as("byte %d of %s, bits %x", at, segment, flip)
              .isEqualTo(expected(recordAt(at, firstRecord)));
          orphan.close();
          flips++;
        }
      }
      Files.write(segment, whole);
      firstRecord = recordAt(whole.length, firstRecord);
      firstRecord = firstRecord < 0 ? RECORDS : firstRecord;
    }
    assertThat(flips).isGreaterThan(1000);
  }

  /** The record whose frame a byte belongs to, -1 for headers and padding. */
  private static int recordAt(int offset, int firstRecord) {
    int record = firstRecord;
    int frame = HEADER_BYTES;
    while (record < RECORDS) {
      int bytes = 16 + ("record " + record).length();
      int next = frame + (bytes + 7) / 8 * 8;
      if (offset < next) {
        return offset >= frame && offset < frame + bytes ? record : -1;
      }
      frame = next;
      record++;
    }
    return record;
  }

  private static List<String> expected(int lost) {
    if (lost < 0) {
      return Spools.records(0, RECORDS);
    }
    List<String> expected = new ArrayList<>(Spools.records(0, lost));
    if (lost < RECORDS - 1) { // behind the last record nothing shows that it existed
      expected.add("gap " + lost + "+1");
      expected.addAll(Spools.records(lost + 1, RECORDS));
    }
    return expected;
  }
}
