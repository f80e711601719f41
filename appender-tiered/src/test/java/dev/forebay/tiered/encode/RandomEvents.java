package dev.forebay.tiered.encode;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.BasicMarkerFactory;

/** Events of all kinds, in times that stand still, go on, jump and go back. */
final class RandomEvents {

  private static final List<Instant> TIMES =
      List.of(
          Instant.parse("2026-03-29T00:59:59.990Z"),
          Instant.parse("2026-10-25T00:59:59.990Z"),
          Instant.parse("2026-10-25T01:59:59.999Z"),
          Instant.parse("2026-04-04T14:59:59.995Z"),
          Instant.parse("1969-12-31T23:59:59.998Z"),
          Instant.parse("1883-11-18T16:59:59.123Z"),
          Instant.parse("0999-12-31T23:59:59.997Z"),
          Instant.parse("0001-01-01T00:00:00.005Z"),
          Instant.parse("-0001-06-01T12:00:00Z"),
          Instant.parse("9999-12-31T23:59:59.996Z"),
          Instant.parse("+12345-06-07T08:09:10.011Z"),
          Instant.ofEpochMilli(Long.MIN_VALUE + 5),
          Instant.ofEpochMilli(Long.MAX_VALUE - 5));

  private static final List<Integer> STEPS_MS =
      List.of(0, 0, 0, 1, 1, 2, 7, 10, 93, 100, 500, 999, 1000, 3_600_000, -1, -1000, -7);

  private static final List<String> TEXTS =
      List.of(
          "",
          "a",
          "Order A-17 took 12 ms",
          "Stra\u00DFe \u00E9\u00E0",
          "\u6F22\u5B57",
          "\uD83D\uDE00",
          "\uD83D",
          "\uDE00",
          "x\uDE00\uD83D",
          "\uDE00\uD83D\uDE00\uD83D",
          "line\nand\r\nline",
          "\u0000\u0007\u001B[31m",
          "x".repeat(300),
          "%d {}",
          "\u007F\u0080\u07FF\u0800\uFFFF");

  private static final List<String> LOGGERS =
      List.of(
          "a",
          "com.example.shop.Orders",
          "com.example.shop.orders.very.deep.package.of.a.class.with.a.LongNameAtItsEnd",
          "org.springframework.boot.web.embedded.tomcat.TomcatWebServer",
          "\u00E4.\u00F6.\u00DC",
          "..",
          "\uD83D.\uDE00",
          Logger.ROOT_LOGGER_NAME);

  private static final List<Level> LEVELS =
      List.of(
          Level.TRACE,
          Level.DEBUG,
          Level.INFO,
          Level.WARN,
          Level.ERROR,
          Level.OFF,
          Level.toLevel("ALL"));

  private final Random random;
  private final LoggerContext context;
  private long ms;

  RandomEvents(Random random, LoggerContext context) {
    this.random = random;
    this.context = context;
    this.ms = of(TIMES).toEpochMilli();
  }

  /** Of which parts may be missing that are not in events of Logback's loggers. */
  private static final class Event extends LoggingEvent {
    private final boolean isBare;

    Event(
        Logger logger,
        Level level,
        @Nullable String message,
        @Nullable Throwable thrown,
        Object[] arguments,
        boolean isBare) {
      super(Logger.FQCN, logger, level, message, thrown, arguments);
      this.isBare = isBare;
    }

    @Override
    public String getThreadName() {
      return isBare ? null : super.getThreadName();
    }

    @Override
    public String getLoggerName() {
      return isBare ? null : super.getLoggerName();
    }

    @Override
    public Map<String, String> getMDCPropertyMap() {
      return isBare ? null : super.getMDCPropertyMap();
    }

    @Override
    public String getFormattedMessage() {
      if ("throws".equals(getMessage())) {
        throw new IllegalStateException("no message");
      }
      return super.getFormattedMessage();
    }
  }

  LoggingEvent next() {
    ms += random.nextInt(12) == 0 ? of(TIMES).toEpochMilli() - ms : of(STEPS_MS);
    String message = random.nextInt(10) == 0 ? null : of(TEXTS);
    Object[] arguments = {of(TEXTS), random.nextInt()};
    if (random.nextInt(4) == 0) {
      message = "Order {} took {} ms";
      arguments[0] = value();
    }
    if (random.nextInt(20) == 0) {
      message = "throws";
    }
    Event event =
        new Event(
            context.getLogger(of(LOGGERS)),
            of(LEVELS),
            message,
            random.nextInt(4) == 0 ? thrown(random.nextInt(4)) : null,
            arguments,
            random.nextInt(15) == 0);
    event.setTimeStamp(ms);
    if (random.nextBoolean()) {
      event.setThreadName(random.nextInt(5) == 0 ? "worker-" + random.nextInt(600) : of(TEXTS));
    }
    event.setMDCPropertyMap(mdc());
    for (int i = random.nextInt(3); i > 0; i--) {
      event.addMarker(marker());
      event.addKeyValuePair(new KeyValuePair(random.nextBoolean() ? "key" : of(TEXTS), value()));
    }
    return event;
  }

  private Map<String, String> mdc() {
    Map<String, String> mdc = new LinkedHashMap<>();
    for (int i = random.nextInt(4); i > 0; i--) {
      mdc.put(of(List.of("key", "sch\u00FCssel", "", "a b", "=", "\uD83D")), of(TEXTS));
    }
    if (random.nextInt(6) == 0) {
      mdc.put("key", null);
    }
    return mdc;
  }

  private Marker marker() {
    BasicMarkerFactory factory = new BasicMarkerFactory();
    Marker marker = factory.getDetachedMarker(of(TEXTS));
    if (random.nextBoolean()) {
      marker.add(factory.getDetachedMarker("inner"));
    }
    return marker;
  }

  private @Nullable Object value() {
    return switch (random.nextInt(4)) {
      case 0 -> null;
      case 1 -> random.nextInt();
      case 2 -> List.of(of(TEXTS));
      default -> of(TEXTS);
    };
  }

  private Throwable thrown(int depth) {
    Exception thrown = new Exception(random.nextInt(5) == 0 ? null : of(TEXTS));
    if (depth > 0) {
      thrown.initCause(thrown(depth - 1));
    } else if (random.nextInt(3) == 0) {
      thrown.initCause(new IllegalStateException("cyclic", thrown));
    }
    if (random.nextInt(3) == 0) {
      thrown.addSuppressed(thrown(depth / 2 - (depth == 0 ? 1 : 0)));
    }
    return thrown;
  }

  private <T> T of(List<T> values) {
    return values.get(random.nextInt(values.size()));
  }
}
