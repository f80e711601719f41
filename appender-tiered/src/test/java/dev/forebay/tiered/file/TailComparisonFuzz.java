package dev.forebay.tiered.file;

import static dev.forebay.tiered.file.CheckpointFuzz.require;

import dev.forebay.tiered.checkpoint.Checkpoint;
import dev.forebay.tiered.checkpoint.Checkpoint.Anchor;
import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.checkpoint.Checkpoint.State;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.ship.ShipAccess;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.zip.CRC32C;

/**
 * A target for a fuzzer: a log of any content behind a checkpoint, compared with a spool of many
 * records, some of them empty and one larger than a batch. The verdict must be that of a plain
 * comparison of arrays.
 *
 * <p>Input: the checkpoint's sequence, flags, how much of the records stands in the log (two
 * bytes), the anchor's length, committed bytes (one byte of length in front), and what follows the
 * records.
 */
public final class TailComparisonFuzz {
  private static final int WRONG_ANCHOR = 1;
  private static final int OFFSET_BEHIND_THE_END = 2;
  private static final int RECORDS = 200;
  private static final MemoryDisk DISK = new MemoryDisk();
  private static final Path LOG = Path.of("/log");

  /** All records, and where each begins. */
  private static final ByteArrayOutputStream WRITTEN = new ByteArrayOutputStream();

  private static final int[] STARTS = new int[RECORDS + 1];
  private static final Records TRANSFER = transfer();
  private static final byte[] ALL = WRITTEN.toByteArray();
  private static final RecordBatch BATCH = new RecordBatch(512);

  private TailComparisonFuzz() {}

  private static Records transfer() {
    try {
      DISK.createDirectory(Path.of("/shm"));
      SpoolDirectory directory =
          SpoolDirectory.open(DISK, Path.of("/shm"), LogIdentity.of(DISK, Path.of("/app.log")));
      Spool spool = directory.createSpool(new SpoolLimits(1 << 20, 2048));
      for (int i = 0; i < RECORDS; i++) {
        byte[] record = new byte[i == 30 ? 1500 : i % 11 * 7];
        Arrays.fill(record, (byte) (i % 5));
        WRITTEN.writeBytes(record);
        STARTS[i + 1] = WRITTEN.size();
        spool.writer().append(record, 0, record.length, 2);
      }
      spool.writer().flush();
      return ShipAccess.records(directory, spool);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length < 6) {
      return;
    }
    int sequence = (data[0] & 0xFF) % (RECORDS + 1);
    byte[] records = Arrays.copyOfRange(ALL, STARTS[sequence], ALL.length);
    int copied = (((data[2] & 0xFF) << 8) | (data[3] & 0xFF)) % (records.length + 1);
    int committed = Math.min(data[5] & 0xFF, data.length - 6);
    ByteArrayOutputStream log = new ByteArrayOutputStream();
    log.write(data, 6, committed);
    log.write(records, 0, copied);
    log.write(data, 6 + committed, data.length - 6 - committed);
    DISK.put(LOG, log.toByteArray());

    boolean isBehind = (data[1] & OFFSET_BEHIND_THE_END) != 0;
    long offset = isBehind ? log.size() + 1L : committed;
    Anchor anchor = anchor(log.toByteArray(), committed, data[4], (data[1] & WRONG_ANCHOR) != 0);
    Checkpoint checkpoint =
        new Checkpoint(
            State.RECORDS,
            new SpoolPosition(TRANSFER.instance(), sequence, 0, 0),
            SpoolPosition.NONE,
            new Position("", offset),
            anchor);
    TailRecovery.Tail result;
    try (DiskFile file = DISK.open(LOG, Disk.Mode.READ)) {
      result = TailRecovery.compare(file, checkpoint, TRANSFER, BATCH);
    }
    byte[] tail = Arrays.copyOfRange(log.toByteArray(), committed, log.size());
    boolean isPrefix =
        tail.length <= records.length && Arrays.equals(tail, Arrays.copyOf(records, tail.length));
    boolean isSame =
        !isBehind
            && anchor.length() <= committed
            && (anchor.length() == 0 || (data[1] & WRONG_ANCHOR) == 0);
    require(result.foreign() == null || !isPrefix || !isSame, "foreign: " + result);
    if (isPrefix && isSame) {
      int next = (int) result.next();
      int torn = (int) (log.size() - result.end());
      boolean isCutToCheckpoint = next == sequence && result.end() == committed;
      require(
          isCutToCheckpoint || STARTS[next] - STARTS[sequence] + torn == tail.length,
          "another length");
      require(
          isCutToCheckpoint || torn == 0 || torn < STARTS[next + 1] - STARTS[next],
          "a whole record taken for half a one");
    } else if (result.foreign() == null) {
      require(isSame && result.end() == committed, "cut though it is of others: " + result);
    }
  }

  private static Anchor anchor(byte[] log, int committed, int wanted, boolean wrong) {
    int length = wanted & 0xFF;
    CRC32C crc = new CRC32C();
    crc.update(ByteBuffer.wrap(log, Math.max(0, committed - length), Math.min(length, committed)));
    return new Anchor(length, (int) crc.getValue() + (wrong ? 1 : 0));
  }
}
