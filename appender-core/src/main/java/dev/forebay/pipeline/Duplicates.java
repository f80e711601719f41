package dev.forebay.pipeline;

import dev.forebay.redact.Redactor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Finds messages that a logger repeats: the same template more than {@code most} times within the
 * second after the first. Any thread; no lock.
 *
 * <p>It remembers a bounded number of templates, each in the one slot of its hash. Two that want
 * the same slot take it from each other, and more of them pass; none is refused for another one.
 */
final class Duplicates {

  private static final int SLOTS = 256;
  private static final long WINDOW_NS = 1_000_000_000;

  /** Many events hardly share a message longer than this, in characters. */
  private static final int LONGEST = 1000;

  /** How many characters of a message a report shows. */
  private static final int SHOWN = 60;

  /** A template of one logger, and how many events it had since. */
  private static final class Template {
    final String logger;
    final String message;
    final long sinceNs;
    final AtomicInteger events = new AtomicInteger(1);

    /** Made on demand; if two threads make it, both are equal. */
    private volatile @Nullable String name;

    Template(String logger, String message, long sinceNs) {
      this.logger = logger;
      this.message = message;
      this.sinceNs = sinceNs;
    }

    boolean is(String otherLogger, String other, long nowNs) {
      return message.equals(other) && logger.equals(otherLogger) && nowNs - sinceNs < WINDOW_NS;
    }

    String name(@Nullable Redactor redactor) {
      String known = name;
      if (known == null) {
        String text = redactor == null ? message : redactor.text(message); // before it is cut
        boolean isShort = text.length() <= SHOWN;
        known = logger + " \"" + (isShort ? text : text.substring(0, SHOWN) + "…") + '"';
        name = known;
      }
      return known;
    }
  }

  private final int most;
  private final @Nullable Redactor redactor;
  private final AtomicReferenceArray<@Nullable Template> templates =
      new AtomicReferenceArray<>(SLOTS);

  /**
   * @param redactor null if there is none
   */
  Duplicates(int most, @Nullable Redactor redactor) {
    this.most = most;
    this.redactor = redactor;
  }

  /** Counts an event. If it is one too many, returns the name for all such; otherwise null. */
  @Nullable String nameOfSurplus(String logger, @Nullable String message, long nowNs) {
    if (message == null || message.length() > LONGEST) {
      return null;
    }
    int hash = 31 * logger.hashCode() + message.hashCode();
    int slot = (hash ^ (hash >>> 16)) & (SLOTS - 1);
    while (true) {
      Template known = templates.get(slot);
      if (known != null && known.is(logger, message, nowNs)) {
        return known.events.incrementAndGet() > most ? known.name(redactor) : null;
      }
      if (templates.compareAndSet(slot, known, new Template(logger, message, nowNs))) {
        return null;
      }
    }
  }
}
