package dev.forebay.it.attack;

import dev.forebay.observe.LedgerSnapshot;
import java.io.FileWriter;
import java.io.IOException;
import java.nio.MappedByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What a victim tells of itself, in a mapped file that outlives a kill: how many messages each
 * producer began to log, and the last snapshot, summed over the appenders it had.
 */
final class Tally {

  private static final int PRODUCERS = 64;
  private static final int FIRST_PRODUCER = 16;

  /** Sums of all appenders of a process. */
  record Account(long offered, long delivered, long dropped, long inFlight, long reports) {

    static Account of(List<LedgerSnapshot> snapshots) {
      Account sum = new Account(0, 0, 0, 0, 0);
      for (LedgerSnapshot s : snapshots) {
        sum =
            new Account(
                sum.offered + s.offered(),
                sum.delivered + s.delivered(),
                sum.dropped + s.dropped(),
                sum.inFlight + s.inFlight(),
                sum.reports + s.reports());
      }
      return sum;
    }

    /** Whether no number went back since an earlier one. */
    boolean follows(Account earlier) {
      return offered >= earlier.offered
          && delivered >= earlier.delivered
          && dropped >= earlier.dropped
          && reports >= earlier.reports;
    }
  }

  private final Path names;
  private final MappedByteBuffer slots;

  /** No channel, and open for good: direct memory and descriptors may be short. */
  private @Nullable FileWriter writer;

  /** Slots given to producers. */
  private int taken;

  private Tally(Path names, MappedByteBuffer slots) {
    this.names = names;
    this.slots = slots;
  }

  static Tally in(Path directory) throws IOException {
    long bytes = (long) (FIRST_PRODUCER + PRODUCERS) * Long.BYTES;
    try (FileChannel channel =
        FileChannel.open(
            directory.resolve("tally"),
            StandardOpenOption.CREATE,
            StandardOpenOption.READ,
            StandardOpenOption.WRITE)) {
      MappedByteBuffer slots = channel.map(FileChannel.MapMode.READ_WRITE, 0, bytes);
      return new Tally(directory.resolve("names"), slots);
    }
  }

  /** In the victim: from now on producers can be named. */
  FileWriter open() throws IOException {
    FileWriter out = new FileWriter(names.toFile(), StandardCharsets.UTF_8, true);
    writer = out;
    return out;
  }

  /** A slot for a producer. Called for one after the other. */
  int slotFor(String producer) throws IOException {
    FileWriter out = writer;
    if (out == null) {
      out = open();
    }
    out.write(producer + "\n");
    out.flush();
    return FIRST_PRODUCER + taken++;
  }

  void begun(int slot, long messages) {
    slots.putLong(slot * Long.BYTES, messages);
  }

  /** Messages begun to be logged, by producer. */
  Map<String, Long> begun() throws IOException {
    Map<String, Long> begun = new LinkedHashMap<>();
    if (Files.exists(names)) {
      for (String name : Files.readAllLines(names)) {
        begun.put(name, slots.getLong((FIRST_PRODUCER + begun.size()) * Long.BYTES));
      }
    }
    return begun;
  }

  /** By one thread. */
  void account(Account account) {
    long[] numbers = {
      account.offered, account.delivered, account.dropped, account.inFlight, account.reports
    };
    for (int i = 0; i < numbers.length; i++) {
      slots.putLong((1 + i) * Long.BYTES, numbers[i]);
    }
  }

  /** The last one; where the process lives, its parts may be of two snapshots. */
  Account account() {
    return new Account(number(1), number(2), number(3), number(4), number(5));
  }

  void longestCallNs(long ns) {
    slots.putLong(6 * Long.BYTES, Math.max(ns, number(6)));
  }

  long longestCallNs() {
    return number(6);
  }

  private long number(int slot) {
    return slots.getLong(slot * Long.BYTES);
  }
}
