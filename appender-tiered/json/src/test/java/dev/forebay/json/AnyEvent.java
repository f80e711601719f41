package dev.forebay.json;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Builders;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;
import org.slf4j.helpers.BasicMarkerFactory;

/** Events with every kind of part. */
final class AnyEvent {

  static final LoggerContext CONTEXT = context();

  private static final List<Level> LEVELS =
      List.of(Level.TRACE, Level.DEBUG, Level.INFO, Level.WARN, Level.ERROR);

  LoggerContext context = CONTEXT;
  @Nullable String message = "";
  String thread = "";
  String logger = "";
  Level level = Level.INFO;
  Instant time = Instant.EPOCH;
  Map<String, String> mdc = Map.of();
  List<KeyValuePair> pairs = List.of();
  List<Marker> markers = List.of();
  @Nullable Throwable throwable;

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  LoggingEvent event() {
    LoggingEvent event =
        new LoggingEvent(
            "fqcn",
            context.getLogger(logger.isEmpty() ? "a" : logger),
            level,
            message,
            throwable,
            null);
    event.setThreadName(thread);
    event.setMDCPropertyMap(mdc);
    event.setInstant(time);
    event.setKeyValuePairs(pairs);
    markers.forEach(event::addMarker);
    return event;
  }

  /** Without halves of surrogate pairs, of which others make other characters. */
  static Arbitrary<String> texts() {
    return Arbitraries.oneOf(
        Arbitraries.strings().ascii().ofMaxLength(20),
        Arbitraries.strings()
            .withChars("\u0000\u001f\u007f\u0085\u2028\u2029\"\\/\t\u00e9\u20ac")
            .ofMaxLength(9),
        Arbitraries.of("", " ", "\uD83D\uDE00", "a\r\nb", "x\uD83D\uDE00\"y", "\uFEFF\uFFFF"),
        Arbitraries.of("5b8efff798038103d269b633813fc60c", "eee19b7ec3c1b174"));
  }

  static Arbitrary<Object> values() {
    return Arbitraries.oneOf(
        texts().map(Object.class::cast),
        Arbitraries.integers().map(Object.class::cast),
        Arbitraries.longs().map(Object.class::cast),
        Arbitraries.doubles().map(Object.class::cast),
        Arbitraries.floats().map(Object.class::cast),
        Arbitraries.bigDecimals().map(Object.class::cast),
        Arbitraries.bigIntegers().map(Object.class::cast),
        Arbitraries.of(
            true, (byte) 1, (short) -2, BigInteger.TEN.pow(30), new BigDecimal("1E+3"), 1e300));
  }

  /** Also in lists, maps and arrays, one in another. */
  static Arbitrary<Object> nested() {
    return Arbitraries.oneOf(
        values(),
        values().list().ofSize(4).map(leaves -> nested(leaves, 0)),
        values().list().ofSize(4).map(leaves -> nested(leaves, 1)),
        values().list().ofSize(4).map(leaves -> nested(leaves, 2)),
        Arbitraries.of(
            new int[] {1, -2},
            new long[0],
            new double[] {0.5, 1e300},
            new boolean[] {true},
            new String[] {"\u20ac", null},
            List.of(),
            Set.of("x"),
            Map.of(1, 2)));
  }

  private static Object nested(List<Object> leaves, int kind) {
    Object first = leaves.get(0);
    if (leaves.size() == 1) {
      return first;
    }
    Object rest = nested(leaves.subList(1, leaves.size()), (kind + 1) % 3);
    return switch (kind) {
      case 0 -> Arrays.asList(first, null, rest);
      case 1 -> new Object[] {rest, first};
      default -> new TreeMap<>(Map.of("k", rest, "\u20ac", first));
    };
  }

  /** With keys that begin so. */
  static Arbitrary<Map<String, String>> mdcs(Arbitrary<String> keys) {
    return Arbitraries.maps(keys, texts()).ofMaxSize(4);
  }

  static Arbitrary<List<KeyValuePair>> pairs(Arbitrary<String> keys, Arbitrary<Object> values) {
    return keys.list()
        .uniqueElements()
        .ofMaxSize(4)
        .flatMap(
            unique ->
                values
                    .injectNull(0.1)
                    .list()
                    .ofSize(unique.size())
                    .map(
                        all ->
                            java.util.stream.IntStream.range(0, all.size())
                                .mapToObj(i -> new KeyValuePair(unique.get(i), all.get(i)))
                                .toList()));
  }

  static Arbitrary<Throwable> throwables() {
    return Arbitraries.lazyOf(
        () -> texts().injectNull(0.2).map(IllegalStateException::new),
        () -> throwables().flatMap(cause -> texts().map(text -> new RuntimeException(text, cause))),
        () ->
            throwables()
                .map(
                    other -> {
                      Exception outer = new Exception("with another");
                      outer.addSuppressed(other);
                      return outer;
                    }));
  }

  static Marker marker(String name, String... references) {
    BasicMarkerFactory factory = new BasicMarkerFactory();
    Marker marker = factory.getDetachedMarker(name);
    for (String reference : references) {
      marker.add(factory.getDetachedMarker(reference));
    }
    return marker;
  }

  static Arbitrary<AnyEvent> events(
      Arbitrary<String> mdcKeys, Arbitrary<String> pairKeys, Arbitrary<Object> values) {
    return Builders.withBuilder(AnyEvent::new)
        .use(texts().injectNull(0.1))
        .inSetter((event, text) -> event.message = text)
        .use(texts())
        .inSetter((event, text) -> event.thread = text)
        .use(Arbitraries.of("com.acme.Shop", "a", "b\u20ac.\"c\""))
        .inSetter((event, text) -> event.logger = text)
        .use(Arbitraries.of(LEVELS))
        .inSetter((event, of) -> event.level = of)
        .use(times())
        .inSetter((event, of) -> event.time = of)
        .use(mdcs(mdcKeys))
        .inSetter((event, of) -> event.mdc = of)
        .use(pairs(pairKeys, values))
        .inSetter((event, of) -> event.pairs = of)
        .use(
            Arbitraries.of(
                List.<Marker>of(), List.of(marker("A")), List.of(marker("B", "C\n", "D"))))
        .inSetter((event, of) -> event.markers = of)
        .use(throwables().injectNull(0.6))
        .inSetter((event, of) -> event.throwable = of)
        .build();
  }

  private static Arbitrary<Instant> times() {
    return Arbitraries.longs()
        .between(0, 4_000_000_000L)
        .flatMap(
            second ->
                Arbitraries.of(0, 100_000_000, 123_000_000, 123_456_000, 123_456_789, 9)
                    .map(nanos -> Instant.ofEpochSecond(second, nanos)));
  }
}
