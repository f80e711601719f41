package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.ChildJvm;
import dev.forebay.host.FileTree;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Records larger than the shipper's buffer are batches of their own. */
@Tag("once")
class LargeRecordTest extends ShippingRig {

  private static final int BATCH_BYTES = 256 * 1024;
  private static final List<String> RECORDS =
      List.of("before", large(700_000), "between", large(BATCH_BYTES), large(3_500_000), "behind");

  /** No two parts of it are the same. */
  private static String large(int bytes) {
    StringBuilder text = new StringBuilder(bytes + 10);
    for (int i = 0; text.length() < bytes; i++) {
      text.append(i).append(' ');
    }
    return text.substring(0, bytes);
  }

  private ShippingProcess processWithRecords() throws IOException {
    ShippingProcess process = process();
    ShippingProcess.write(process.spool(new SpoolLimits(16 << 20, 4 << 20)), RECORDS);
    return process;
  }

  /** The log's disk is full somewhere in the first, second or third part, or at an edge. */
  @ParameterizedTest
  @ValueSource(ints = {9, 200_000, BATCH_BYTES + 9, BATCH_BYTES + 10, 600_000, 1_500_000})
  void areCompletedAfterAFailureAndByTheNextProcessAfterAKill(int bytes) throws IOException {
    for (boolean isKilled : new boolean[] {false, true}) {
      ShippingProcess process = processWithRecords();
      log().limitSpace(bytes);
      process.turns(2);
      assertThat(process.account.failures).isNotEmpty();
      disk.heal();
      if (isKilled) {
        process.die();
        process = process().recover();
      } else {
        process.turns(4);
        assertThat(process.account.committed).isEqualTo(RECORDS.size());
        process.die();
      }

      assertThat(process.log.records()).isEqualTo(RECORDS);
      assertThat(process.account.warnings).isEmpty();
      FileTree.delete(logFile().getParent());
      FileTree.delete(process.base);
    }
  }

  @Test
  void needNoDirectMemoryOfTheirLength() throws Exception {
    processWithRecords().die();

    String said =
        ChildJvm.run(
            List.of("-XX:MaxDirectMemorySize=1m", "-Xmx32m"), Recovery.class, directory.toString());

    assertThat(said).isEqualToIgnoringNewLines("recovered 6, failures []");
    assertThat(process().log.records()).isEqualTo(RECORDS);
  }

  static final class Recovery {
    private Recovery() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] args) throws IOException {
      ShippingProcess process =
          ShippingProcess.in(
              Path.of(args[0]), "shm", ShippingProcess.unforced(), ShippingProcess.EVERY_SECOND);
      process.recover();
      System.out.println(
          "recovered %d, failures %s"
              .formatted(process.account.recovered, process.account.failures));
    }
  }
}
