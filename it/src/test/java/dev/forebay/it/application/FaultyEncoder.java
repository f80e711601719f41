package dev.forebay.it.application;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;

/** An encoder that fails for events of certain loggers: {@code fault.} and a kind. */
public final class FaultyEncoder extends PatternLayoutEncoder {

  /** What happens to an event. */
  enum Kind {
    EXCEPTION,
    LINKAGE_ERROR,
    /** As the one that {@code Thread.stop} once threw. */
    DEATH,
    STACK_OVERFLOW,
    OUT_OF_MEMORY,
    HUGE_ALLOCATION,
    NOTHING,
    EMPTY,
    /** It waits for {@link #open}. */
    BLOCK;

    String logger() {
      return PREFIX + name().toLowerCase(Locale.ROOT);
    }
  }

  private static final String PREFIX = "fault.";

  private static final class Death extends Error {
    private static final long serialVersionUID = 1;
  }

  private static volatile CountDownLatch reached = new CountDownLatch(1);
  private static volatile CountDownLatch opened = new CountDownLatch(1);

  /** From now on events that block wait, until {@link #open}. */
  static void shut() {
    reached = new CountDownLatch(1);
    opened = new CountDownLatch(1);
  }

  static boolean isReached() {
    return reached.getCount() == 0;
  }

  static void open() {
    opened.countDown();
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    String name = event.getLoggerName();
    return name.startsWith(PREFIX)
        ? fail(Kind.valueOf(name.substring(PREFIX.length()).toUpperCase(Locale.ROOT)), event)
        : super.encode(event);
  }

  private byte[] fail(Kind kind, ILoggingEvent event) {
    return switch (kind) {
      case EXCEPTION -> throw new IllegalStateException("encoder");
      case LINKAGE_ERROR -> throw new NoClassDefFoundError("encoder");
      case DEATH -> throw new Death();
      case STACK_OVERFLOW -> tooDeep(0);
      case OUT_OF_MEMORY -> throw new OutOfMemoryError("simulated");
      case HUGE_ALLOCATION -> tooMuch();
      case NOTHING -> null;
      case EMPTY -> new byte[0];
      case BLOCK -> blocked(event);
    };
  }

  private static byte[] tooDeep(int depth) {
    return depth < 0 ? new byte[0] : tooDeep(depth + 1).clone();
  }

  private static byte[] tooMuch() {
    List<long[]> all = new ArrayList<>();
    for (long bytes = 0; bytes <= Runtime.getRuntime().maxMemory(); bytes += 8L << 30) {
      all.add(new long[1 << 30]);
    }
    return new byte[all.size()];
  }

  private byte[] blocked(ILoggingEvent event) {
    reached.countDown();
    try {
      opened.await();
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
    return super.encode(event);
  }
}
