package dev.forebay.tiered.file;

import dev.forebay.tiered.disk.MemoryDisk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Arrays;

/**
 * A target for a fuzzer: a log of any content that is opened, by an encoder of text or an unknown
 * one. All that is no trailing zero stays, a record begins a line in what is text, and another
 * start finds nothing to mend.
 *
 * <p>Input: flags, then the log; bit 1 of the flags has it follow so many lines that it ends in
 * another chunk.
 */
public final class FileEndFuzz {
  private static final Path PATH = Path.of("/logs/app.log");
  private static final int OF_TEXT = 1;
  private static final int LONG = 2;
  private static final byte[] BEFORE =
      "before\n".repeat(64 * 1024 / 7).getBytes(StandardCharsets.US_ASCII);
  private static final byte[] RECORD = "new\n".getBytes(StandardCharsets.US_ASCII);

  private FileEndFuzz() {}

  /** The entry point: throws where something is wrong. */
  public static void fuzzerTestOneInput(byte[] data) throws IOException {
    if (data.length == 0) {
      return;
    }
    byte[] before = Arrays.copyOfRange(data, 1, data.length);
    if ((data[0] & LONG) != 0) {
      byte[] end = before;
      before = Arrays.copyOf(BEFORE, BEFORE.length + end.length);
      System.arraycopy(end, 0, before, BEFORE.length, end.length);
    }
    boolean isText = (data[0] & OF_TEXT) != 0;
    MemoryDisk disk = new MemoryDisk();
    disk.createDirectory(PATH.getParent());
    disk.put(PATH, before.clone());
    append(disk, isText);
    byte[] after = disk.get(PATH);
    int kept = after.length - RECORD.length;
    require(endsWith(after, after.length, RECORD), "the record is not at the end");
    int same = Arrays.mismatch(before, 0, before.length, after, 0, kept);
    boolean isEnded = same >= 0 && same == kept - 1 && after[same] == '\n';
    int left = isEnded ? same : kept;
    require(same < 0 || isEnded || same == Math.min(kept, before.length), "changed at " + same);
    for (int i = left; i < before.length; i++) {
      require(before[i] == 0, "cut at " + i);
    }
    require(isText || left == before.length || hasLine(before), "cut though it is no text");
    int last = kept;
    while (isText && last > 0 && kept - last < 3 && after[last - 1] == 0) {
      last--;
    }
    require(!isText || last == 0 || after[last - 1] == '\n', "a line of ours does not begin one");
    append(disk, isText);
    byte[] again = disk.get(PATH);
    require(again.length == after.length + RECORD.length, "mended twice");
    require(Arrays.equals(Arrays.copyOf(again, after.length), after), "changed by another start");
  }

  private static void append(MemoryDisk disk, boolean isText) throws IOException {
    ByteBuffer nothing = ByteBuffer.allocate(0);
    RollingLog log =
        new RollingLog(
            new LogSettings(
                disk,
                PATH.toString(),
                true,
                null,
                null,
                nothing,
                nothing,
                isText,
                text -> {},
                new ShippingListener() {}),
            false);
    log.open();
    log.begin();
    log.append(ByteBuffer.wrap(RECORD));
    log.stop();
  }

  private static boolean endsWith(byte[] bytes, int end, byte[] suffix) {
    return end >= suffix.length
        && Arrays.equals(bytes, end - suffix.length, end, suffix, 0, suffix.length);
  }

  private static boolean hasLine(byte[] bytes) {
    for (byte one : bytes) {
      if (one == '\n') {
        return true;
      }
    }
    return false;
  }

  private static void require(boolean holds, String otherwise) {
    if (!holds) {
      throw new IllegalStateException(otherwise);
    }
  }
}
