package dev.forebay.it.support;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Judges what the durable log holds against what was logged. One law for all integration tests:
 *
 * <ul>
 *   <li>every line is exactly what its producer logged, and stands there once; only where {@link
 *       #mayEndTorn} a producer's last line may be the beginning of one;
 *   <li>the lines of a producer stand in its order, and without a hole, except that {@link
 *       #dropped} events are missing;
 *   <li>what was acknowledged, and what was seen in a spool, is there;
 *   <li>nothing is there that was not logged;
 *   <li>where all producers are {@link #complete}: offered = lines + dropped + in spool.
 * </ul>
 */
public final class Oracle {

  /** Lines the appender adds itself, to report drops. */
  /** A line that says whose lines follow, on standard output. */
  private static final String MARK = "[forebay] ";

  private static final String REPORT = "Forebay: ";

  /** Faults of one kind that are told one by one. */
  private static final int TOLD = 5;

  private record Producer(long acked, long offered) {}

  /**
   * The verdict.
   *
   * @param faults what is wrong, empty if the log is sound
   * @param lines number of numbered lines by producer
   * @param reports lines in which the appender reported drops
   */
  public record Verdict(List<String> faults, Map<String, Long> lines, long reports) {

    public long lineCount() {
      return lines.values().stream().mapToLong(Long::longValue).sum();
    }
  }

  private final Map<String, Producer> producers = new LinkedHashMap<>();
  private final Set<Numbered> mustBeThere = new HashSet<>();
  private final Set<String> strangers = new HashSet<>();
  private long dropped;
  private long inSpool;
  private boolean complete;
  private boolean mayEndTorn;
  private final Function<String, @Nullable Numbered> parser;

  /** Of messages that are {@link Numbered}. */
  public Oracle() {
    this(Numbered::parse);
  }

  /**
   * Of messages of another kind.
   *
   * @param parser says which message a line is, and null where it is not exactly one
   */
  public Oracle(Function<String, @Nullable Numbered> parser) {
    this.parser = parser;
  }

  /**
   * A producer.
   *
   * @param acked messages of a lower number are known to be durable
   * @param offered messages of this number and above were never logged
   */
  public Oracle producer(String name, long acked, long offered) {
    producers.put(name, new Producer(acked, offered));
    return this;
  }

  /** Lines that must be in the log, because they were seen in a spool or in the log before. */
  public Oracle seen(Collection<String> lines) {
    for (String line : lines) {
      Numbered read = parser.apply(line);
      if (read != null) {
        mustBeThere.add(read);
      }
    }
    return this;
  }

  /** Lines that are allowed although no producer logged them: headers and footers. */
  public Oracle alsoAllowed(String... lines) {
    strangers.addAll(List.of(lines));
    return this;
  }

  /** After a power cut: what a producer logged last may be there in part. */
  public Oracle mayEndTorn() {
    mayEndTorn = true;
    return this;
  }

  /** Events that were counted as dropped, of all reasons and levels. */
  public Oracle dropped(long events) {
    dropped = events;
    return this;
  }

  /** Every event's fate is known: the numbers must agree, with so many left in the spool. */
  public Oracle complete(long leftInSpool) {
    complete = true;
    inSpool = leftInSpool;
    return this;
  }

  /** Judges the lines of the log, oldest first. */
  public Verdict judge(List<String> lines) {
    List<String> faults = new ArrayList<>();
    Map<String, Long> last = new LinkedHashMap<>();
    Map<String, Long> counts = new TreeMap<>();
    Map<Numbered, Integer> found = new LinkedHashMap<>();
    Set<String> torn = new HashSet<>();
    long reports = 0;
    long missing = 0;
    for (int i = 0; i < lines.size(); i++) {
      String line = lines.get(i);
      if (line.startsWith(REPORT)) {
        reports++;
        continue;
      }
      if (strangers.contains(line) || line.startsWith(MARK)) {
        continue;
      }
      Numbered read = parser.apply(line);
      Producer producer = read == null ? null : producers.get(read.producer());
      String ended = read == null && mayEndTorn ? tornEnd(line, last) : null;
      if (ended != null && torn.add(ended)) {
        continue;
      }
      if (read == null) {
        faults.add("torn: line " + i + " \"" + line + "\"");
      } else if (producer == null || read.number() >= producer.offered()) {
        faults.add("invented: line " + i + " is " + read);
      } else if (torn.contains(read.producer())) {
        faults.add("torn: before line " + i + ", which is " + read);
      } else if (found.merge(read, 1, Integer::sum) > 1) {
        faults.add("doubled: line " + i + " is " + read + " again");
      } else {
        counts.merge(read.producer(), 1L, Long::sum);
        long before = last.getOrDefault(read.producer(), -1L);
        if (read.number() < before) {
          faults.add("disordered: line " + i + " is " + read + " behind number " + before);
        } else {
          last.put(read.producer(), read.number());
        }
      }
    }
    missing += countHoles(faults, last, counts);
    addMissing(faults, found.keySet(), last);
    if (complete) {
      addUnbalanced(faults, counts);
    } else if (missing > dropped) {
      faults.add("lost: " + missing + " lines are missing, " + dropped + " were counted as drops");
    }
    return new Verdict(shortened(faults), counts, reports);
  }

  /** Fails unless the log is sound. */
  public Verdict requireSound(List<String> lines) {
    Verdict verdict = judge(lines);
    if (!verdict.faults().isEmpty()) {
      throw new AssertionError(
          "%d lines, %s; faults:%n%s"
              .formatted(lines.size(), producers, String.join("\n", verdict.faults())));
    }
    return verdict;
  }

  /** The producer whose next line begins like this, and had been begun to be logged. */
  private @Nullable String tornEnd(String line, Map<String, Long> last) {
    for (Map.Entry<String, Producer> producer : producers.entrySet()) {
      long next = last.getOrDefault(producer.getKey(), -1L) + 1;
      if (next < producer.getValue().offered()
          && !line.isEmpty()
          && new Numbered(producer.getKey(), next).text().startsWith(line)) {
        return producer.getKey();
      }
    }
    return null;
  }

  /** Lines missing before the last one of a producer. */
  private static long countHoles(
      List<String> faults, Map<String, Long> last, Map<String, Long> counts) {
    long missing = 0;
    for (Map.Entry<String, Long> entry : last.entrySet()) {
      long holes = entry.getValue() + 1 - counts.get(entry.getKey());
      if (holes < 0) {
        faults.add("count: " + entry.getKey() + " has " + -holes + " lines too many");
      }
      missing += Math.max(0, holes);
    }
    return missing;
  }

  private void addMissing(List<String> faults, Set<Numbered> found, Map<String, Long> last) {
    for (Numbered must : mustBeThere) {
      if (!found.contains(must)) {
        faults.add("lost: " + must + " was spooled");
      }
    }
    if (dropped > 0) {
      return; // an acknowledged number then only says that what was accepted is durable
    }
    producers.forEach(
        (name, producer) -> {
          long end = last.getOrDefault(name, -1L) + 1;
          if (end < producer.acked()) {
            faults.add("lost: %s ends at %d, %d were acked".formatted(name, end, producer.acked()));
          }
        });
  }

  private void addUnbalanced(List<String> faults, Map<String, Long> counts) {
    long offered = producers.values().stream().mapToLong(Producer::offered).sum();
    long lines = counts.values().stream().mapToLong(Long::longValue).sum();
    if (offered != lines + dropped + inSpool) {
      faults.add(
          "count: offered %d, but %d lines + %d dropped + %d in the spool = %d"
              .formatted(offered, lines, dropped, inSpool, lines + dropped + inSpool));
    }
  }

  private static List<String> shortened(List<String> faults) {
    Map<String, Integer> kinds = new TreeMap<>();
    List<String> told = new ArrayList<>();
    for (String fault : faults) {
      String kind = fault.substring(0, fault.indexOf(':'));
      if (kinds.merge(kind, 1, Integer::sum) <= TOLD) {
        told.add(fault);
      }
    }
    kinds.forEach(
        (kind, count) -> {
          if (count > TOLD) {
            told.add(kind + ": " + count + " in all");
          }
        });
    return told;
  }
}
