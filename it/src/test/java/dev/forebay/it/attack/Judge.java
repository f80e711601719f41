package dev.forebay.it.attack;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Judges what a scenario left: the log against the accounts, and what the processes said. */
final class Judge {

  /** Documented costs of what others do to a log. */
  static final String LOSES = "lost";

  static final String DOUBLES = "doubled";

  /** A copy that is made while a line is written ends within it. */
  static final String TEARS = "torn";

  /** Slots of the largest ring. */
  private static final long RING = 8192;

  /** Calls may find no appender, or end before they come to it. */
  static final String UNOFFERED = "unoffered";

  /** Begins lines of others. */
  static final String THEIRS = "theirs ";

  private static final Pattern CUT = Pattern.compile(THEIRS + "\\d+$");

  /** What the shipper appends at a time. */
  private static final int WRITE_BYTES = 256 << 10;

  private final Field field;
  private final List<Life> lives;
  private final List<String> faults = new ArrayList<>();
  private long dropped;
  private long lineCount;
  private long lost;

  private Judge(Field field) {
    this.field = field;
    lives = field.lives();
  }

  /**
   * The verdict.
   *
   * @param faults empty if all is well
   * @param counts for the report
   */
  record Verdict(List<String> faults, String counts) {}

  static Verdict judge(Field field) throws IOException {
    return new Judge(field).verdict();
  }

  private Verdict verdict() throws IOException {
    for (Life life : lives) {
      for (String fault : life.report("faults")) {
        faults.add(life.name() + ": " + fault);
      }
    }
    judgeLines();
    Life attacked = lives.get(0);
    Tally.Account account = attacked.tally().account();
    String counts =
        "offered %d, delivered %d, dropped %d, in flight %d; lines %d, lost by the end %d; longest call %.1f ms, statuses %d"
            .formatted(
                account.offered(),
                account.delivered(),
                account.dropped(),
                account.inFlight(),
                lineCount,
                lost,
                attacked.tally().longestCallNs() / 1e6,
                attacked.report("statuses").size());
    return new Verdict(List.copyOf(faults), counts);
  }

  private List<String> readLines() throws IOException {
    LogFiles files =
        LogFiles.of(field.roll().log(field.logDirectory(), Trial.LAST)).only(field::isOurs);
    if (field.roll() == Roll.WINDOW) {
      files.numberedFromNewest();
    }
    List<String> lines = files.lines(StandardCharsets.ISO_8859_1); // a byte a character
    lines.removeIf(line -> line.startsWith(THEIRS));
    return joined(lines);
  }

  /** Of lines of bytes; one larger than a write may have lines of others between two writes. */
  private static List<String> joined(List<String> lines) {
    List<String> all = new ArrayList<>();
    StringBuilder begun = new StringBuilder();
    for (String line : lines) {
      Matcher cut = CUT.matcher(line);
      if (cut.find() && cut.start() >= WRITE_BYTES) {
        begun.append(line, 0, cut.start());
      } else {
        byte[] whole = begun.append(line).toString().getBytes(StandardCharsets.ISO_8859_1);
        all.add(new String(whole, StandardCharsets.UTF_8));
        begun.setLength(0);
      }
    }
    if (begun.length() > 0) {
      all.add(begun.toString());
    }
    return all;
  }

  private void judgeLines() throws IOException {
    List<String> lines;
    try {
      lines = readLines();
    } catch (IOException e) {
      faults.add("unreadable: " + e);
      return;
    }
    // How SLF4J prints an argument of the application that failed, for want of heap here.
    long before = lines.size();
    lines.removeIf(line -> line.endsWith("[FAILED toString()]"));
    dropped = before - lines.size();
    Oracle oracle = new Oracle(Message::parse);
    long begun = 0;
    boolean complete = true;
    long expected = -dropped;
    for (Life life : lives) {
      for (Map.Entry<String, Long> producer : life.tally().begun().entrySet()) {
        begun += producer.getValue();
        oracle.producer(producer.getKey(), 0, producer.getValue());
      }
      Tally.Account account = life.tally().account();
      // What is not in the last snapshot may have been dropped, or never have been offered.
      long unknown = sum(life.tally().begun()) - (account.offered() - account.reports());
      dropped += account.dropped() + Math.max(0, unknown);
      if (life.stopped() && unknown != 0 && !field.allows(UNOFFERED)) {
        faults.add("%s: %d calls more than were offered".formatted(life.name(), unknown));
      }
      complete &= life.stopped();
      expected += account.offered() - account.dropped();
    }
    Oracle.Verdict verdict =
        oracle.dropped(field.allows(LOSES) ? Long.MAX_VALUE / 4 : dropped).judge(lines);
    lineCount = verdict.lineCount() + verdict.reports();
    addUnexplained(verdict.faults());
    if (complete) {
      boolean fits =
          lineCount == expected
              || (field.allows(LOSES) && lineCount < expected)
              || (field.allows(DOUBLES) && lineCount > expected);
      if (!fits) {
        faults.add(
            "count: %d lines, but %d were offered and not dropped".formatted(lineCount, expected));
      }
    } else {
      lost = Math.max(0, begun - dropped - verdict.lineCount());
      judgeTermination(verdict);
      if (lost > RING + 64 && !field.allows(LOSES)) {
        faults.add("lost: %d of %d when the process ended".formatted(lost, begun));
      }
    }
  }

  /** Of what is wrong with the lines, what no documented cost of an attack explains. */
  private void addUnexplained(List<String> found) throws IOException {
    boolean mayTearOne = wasKilledWithASpoolInTheHeap();
    for (String fault : found) {
      boolean doubled = fault.startsWith("doubled") || fault.startsWith("disordered");
      boolean torn = fault.startsWith("torn");
      boolean isTheOne = torn && mayTearOne && fault.contains("\"" + lives.get(0).name() + "-");
      if (isTheOne) {
        mayTearOne = false;
      } else if (!(doubled && field.allows(DOUBLES)) && !(torn && field.allows(TEARS))) {
        faults.add(fault);
      }
    }
  }

  /** Then the rest of a line that was being written is lost with the heap. */
  private boolean wasKilledWithASpoolInTheHeap() throws IOException {
    return field.scenario().end() == Scenario.End.KILL
        && lives.get(0).report("statuses").stream()
            .anyMatch(status -> status.contains("of the heap, lost if the process is killed"));
  }

  /** What was logged before SIGTERM came is in the log or was counted. */
  private void judgeTermination(Oracle.Verdict verdict) {
    Life attacked = lives.get(0);
    Map<String, Long> atTheEnd = attacked.atTheEnd();
    if (atTheEnd == null || field.scenario().end() != Scenario.End.TERM || field.allows(LOSES)) {
      return;
    }
    long lines =
        verdict.lines().entrySet().stream()
            .filter(producer -> producer.getKey().startsWith(attacked.name() + "-"))
            .mapToLong(Map.Entry::getValue)
            .sum();
    long inCalls = atTheEnd.size();
    long known = lines + dropped + inCalls;
    if (known < sum(atTheEnd)) {
      faults.add(
          "lost: %d were logged before SIGTERM, %d lines, %d dropped"
              .formatted(sum(atTheEnd), lines, dropped));
    }
  }

  private static long sum(Map<String, Long> begun) {
    return begun.values().stream().mapToLong(Long::longValue).sum();
  }
}
