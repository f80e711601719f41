package dev.forebay.json;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.encoder.Encoder;
import co.elastic.logging.logback.EcsEncoder;
import com.sun.management.ThreadMXBean;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.TextBuffer;
import java.lang.management.ManagementFactory;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.function.Consumer;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.logstash.logback.argument.StructuredArguments;
import net.logstash.logback.composite.JsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventFormattedTimestampJsonProvider;
import net.logstash.logback.composite.loggingevent.MdcJsonProvider;
import net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder;
import net.logstash.logback.encoder.LogstashEncoder;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import org.springframework.boot.logging.logback.StructuredLogEncoder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.env.StandardEnvironment;

/** Encoders of JSON whose lines are written by templates: byte for byte as they write them. */
class CompiledJsonTest {

  /** LogstashEncoder 9.0 writes no year of more than four digits rightly twice. */
  private static final long YEAR_68 = 60_000_000_000L;

  private static final String JSON = "logging.structured.json.";

  private final LoggerContext context = new LoggerContext();

  CompiledJsonTest() {
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.putProperty("app", "a \"shop\"");
    context.putProperty("host", "h1");
  }

  private <E extends Encoder<ILoggingEvent>> E start(E encoder, Consumer<E> properties) {
    encoder.setContext(context);
    properties.accept(encoder);
    encoder.start();
    return encoder;
  }

  private Encoder<ILoggingEvent> logstash(Consumer<LogstashEncoder> properties) {
    return start(new LogstashEncoder(), properties);
  }

  private Encoder<ILoggingEvent> boot(String format, Map<String, Object> properties) {
    Map<String, Object> all = new HashMap<>(properties);
    all.put("spring.application.name", "shop");
    all.put("spring.application.pid", 4711);
    StandardEnvironment environment = new StandardEnvironment();
    environment.getPropertySources().addFirst(new MapPropertySource("test", all));
    context.putObject(Environment.class.getName(), environment);
    return start(new StructuredLogEncoder(), encoder -> encoder.setFormat(format));
  }

  private List<Encoder<ILoggingEvent>> encoders() {
    return List.of(
        logstash(encoder -> {}),
        logstash(encoder -> encoder.setCustomFields("{\"a\":[1,\"b\"]}")),
        logstash(encoder -> encoder.addIncludeMdcKeyName("k1")),
        logstash(encoder -> encoder.addExcludeMdcKeyName("k1")),
        logstash(encoder -> encoder.addMdcKeyFieldName("k1=k2")),
        logstash(encoder -> encoder.setIncludeMdc(false)),
        logstash(encoder -> encoder.setTimeZone("America/St_Johns")),
        logstash(encoder -> encoder.setTimestampPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX")),
        logstash(encoder -> encoder.setIncludeContext(false)),
        start(
            new EcsEncoder(),
            encoder -> {
              encoder.setServiceName("shop");
              encoder.setIncludeMarkers(true);
            }),
        boot("logstash", Map.of()),
        boot("ecs", Map.of()),
        boot("gelf", Map.of()),
        boot("ecs", Map.of(JSON + "exclude", "k1", JSON + "rename.message", "text")),
        boot("logstash", Map.of(JSON + "rename.k1", "k2", JSON + "add.corp", "acme")),
        boot("ecs", Map.of(JSON + "context.include", false)));
  }

  /** Of a text; what is rare in one is one of 16 characters, of another of 1,000. */
  private static String text(Random random, int rare) {
    String others = "\"\\/\n\r\t\b\f\u0001\u001f\u007f\u0085\u00a0\u00e9\u07ff\u0800\u20ac\u2028";
    String more = "\u2029\ufeff\uffff<>&'{}:, \ud83d\ude00";
    StringBuilder text = new StringBuilder();
    for (int i = random.nextInt(12); i > 0; i--) {
      String from = random.nextInt(rare) > 0 ? "abcdefgh" : random.nextBoolean() ? others : more;
      text.append(from.charAt(random.nextInt(from.length())));
    }
    return text.append(random.nextInt(rare) == 0 ? "\ud83d\ude00" : "").toString();
  }

  private static Map<String, String> mdc(Random random, int rare) {
    Map<String, String> mdc = new HashMap<>();
    List<String> keys =
        List.of("message", "user.id", "user", "_x", "x", "process", "id", "k1", "k2", "k3");
    for (int i = random.nextInt(4); i > 0; i--) {
      boolean isAny = random.nextInt(12) == 0;
      String key = isAny ? text(random, rare) : keys.get(random.nextInt(keys.size()));
      mdc.put(key, random.nextInt(30) == 0 ? null : text(random, rare));
    }
    return mdc;
  }

  private LoggingEvent event(Random random) {
    int rare = random.nextBoolean() ? 16 : 1000;
    LoggingEvent event = new LoggingEvent();
    event.setLevel(Level.toLevel((1 + random.nextInt(4)) * 10_000));
    event.setInstant(
        Instant.ofEpochSecond(
            random.nextInt(9) == 0
                ? random.nextInt(Integer.MAX_VALUE) * 100L - YEAR_68
                : 1_700_000_000 + random.nextInt(99),
            random.nextInt(1000) * List.of(1_000_000, 1_000, 1).get(random.nextInt(3))));
    event.setMessage(random.nextInt(50) == 0 ? null : text(random, rare));
    event.setLoggerName(random.nextInt(9) == 0 ? text(random, rare) : "com.acme.Shop");
    event.setThreadName(random.nextInt(9) == 0 ? text(random, rare) : "exec-1");
    event.setMDCPropertyMap(mdc(random, rare));
    switch (random.nextInt(60)) {
      case 0 -> event.setKeyValuePairs(List.of(new KeyValuePair("pair", 5)));
      case 1 -> event.addMarker(AnyEvent.marker("A", "B"));
      case 2 -> event.setArgumentArray(new Object[] {StructuredArguments.kv("order", 4711)});
      case 3 -> event.setArgumentArray(new Object[] {"a", 4711});
      default -> event.setLoggerContextRemoteView(context.getLoggerContextRemoteView());
    }
    return event;
  }

  /** As text of bytes, or what is thrown. */
  private static String line(Encoder<ILoggingEvent> encoder, ILoggingEvent event) {
    try {
      return new String(encoder.encode(event), ISO_8859_1);
    } catch (RuntimeException e) { // Boot's, of a name that is there already
      return e.getClass().getName();
    }
  }

  private static LineEncoder compiled(Encoder<ILoggingEvent> encoder) {
    return Objects.requireNonNull(LineEncoder.of(encoder), () -> "not compiled: " + encoder);
  }

  @Property(tries = 8)
  void linesAreTheEncodersOwn(@ForAll long seed) {
    Random random = new Random(seed);
    for (Encoder<ILoggingEvent> encoder : encoders()) {
      LineEncoder compiled = compiled(encoder);
      for (int i = 0; i < 500; i++) {
        LoggingEvent event = event(random);
        assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
        if (i % 200 == 199) {
          context.putProperty("late", String.valueOf(random.nextInt()));
        }
      }
      assertThat(compiled.isCurrent()).as("%s", encoder).isTrue();
    }
  }

  /** Boot's writes the zone that the system has at the time. */
  @Test
  void theZoneOfTheSystemMayChange() {
    TimeZone before = TimeZone.getDefault();
    try {
      for (Encoder<ILoggingEvent> encoder : encoders()) {
        LineEncoder compiled = compiled(encoder);
        for (String zone : List.of("UTC", "Asia/Kolkata", "Europe/Amsterdam")) {
          TimeZone.setDefault(TimeZone.getTimeZone(zone));
          LoggingEvent event = event(new Random(1));
          event.setInstant(Instant.ofEpochMilli(1_700_000_000_000L + zone.length()));
          assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
        }
        assertThat(compiled.isCurrent()).as("%s", encoder).isTrue();
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  private static LoggingEvent plain(String message) {
    return plain(message, Instant.ofEpochSecond(1_800_000_000, 123_456_000));
  }

  private static LoggingEvent plain(String message, Instant instant) {
    return plain(message, instant, Map.of());
  }

  private static LoggingEvent plain(String message, Instant instant, Map<String, String> mdc) {
    LoggingEvent event = new LoggingEvent();
    event.setLevel(Level.INFO);
    event.setInstant(instant);
    event.setMessage(message);
    event.setLoggerName("com.acme.Shop");
    event.setThreadName("exec-1");
    event.setMDCPropertyMap(mdc);
    return event;
  }

  @Test
  void aPlainLineAllocatesNothing() {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    LoggingEvent event = plain("order 4711 of \"M\u00fcller\"\n");
    for (Encoder<ILoggingEvent> encoder : encoders()) {
      LineEncoder compiled = compiled(encoder);
      TextBuffer line = compiled.newLine();
      long bytes = 0;
      for (int i = 0; i < 3_000; i++) {
        bytes -= i == 2_000 ? threads.getCurrentThreadAllocatedBytes() : 0;
        compiled.encode(event, line);
      }
      bytes += threads.getCurrentThreadAllocatedBytes();
      assertThat(bytes).as("by 1,000 events of %s", encoder).isLessThan(2_000);
      assertThat(line.toBytes()).isEqualTo(encoder.encode(event));
    }
  }

  /** Its time is in no form that is known. */
  @Test
  void anEncoderOfAnotherTimeWritesItself() {
    Encoder<ILoggingEvent> encoder = logstash(of -> of.setTimestampPattern("yyyy-MM-dd HH:mm"));
    LineEncoder compiled = compiled(encoder);
    ILoggingEvent event = plain("a");
    assertThat(compiled.encode(event)).isEqualTo(encoder.encode(event));
    assertThat(new String(compiled.encode(event), UTF_8)).contains("\"2027-01-15 ");
    assertThat(compiled.isCurrent()).isFalse();
  }

  /** So often that only few lines are compared after it. */
  private void repeat(LineEncoder compiled, LoggingEvent event) {
    for (int i = 0; i < 100; i++) {
      assertThat(compiled.encode(event)).isNotEmpty();
    }
  }

  /** Cairo's summer begins later than Athens'. */
  @Test
  void anotherZoneThatDiffersOnFewDaysIsFoundOut() {
    TimeZone before = TimeZone.getDefault();
    try {
      TimeZone.setDefault(TimeZone.getTimeZone("Africa/Cairo"));
      LoggingEventFormattedTimestampJsonProvider time =
          new LoggingEventFormattedTimestampJsonProvider();
      time.setTimeZone("Europe/Athens");
      Encoder<ILoggingEvent> composite =
          start(new LoggingEventCompositeJsonEncoder(), of -> of.getProviders().addProvider(time));
      Encoder<ILoggingEvent> logstash = logstash(of -> of.setTimeZone("Europe/Athens"));
      LoggingEvent april = plain("a", Instant.parse("2027-04-10T12:00:00Z"));
      for (Encoder<ILoggingEvent> encoder : List.of(composite, logstash)) {
        LineEncoder compiled = compiled(encoder);
        repeat(compiled, plain("a", Instant.parse("2027-02-10T12:00:00Z")));
        assertThat(line(compiled, april)).isEqualTo(line(encoder, april));
        assertThat(compiled.isCurrent()).isEqualTo(encoder == logstash);
      }
    } finally {
      TimeZone.setDefault(before);
    }
  }

  /** Elastic's encoder writes the milliseconds, others the instant. */
  @Test
  void anEventMayHaveTwoTimes() {
    LoggingEvent event =
        new LoggingEvent() {
          @Override
          public long getTimeStamp() {
            return 1_800_000_000_001L;
          }
        };
    event.setLevel(Level.INFO);
    event.setInstant(Instant.ofEpochSecond(1_800_000_000, 123_456_000));
    event.setMessage("a");
    event.setLoggerName("com.acme.Shop");
    event.setThreadName("exec-1");
    event.setMDCPropertyMap(Map.of());
    for (Encoder<ILoggingEvent> encoder : encoders()) {
      LineEncoder compiled = compiled(encoder);
      repeat(compiled, plain("a"));
      assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
      assertThat(compiled.isCurrent()).isTrue();
    }
  }

  /** Boot refuses both keys, though it would write neither. */
  @Test
  void keysThatAreHiddenMayBeRefusedTogether() {
    Encoder<ILoggingEvent> encoder = boot("ecs", Map.of(JSON + "include", "@timestamp,message"));
    LineEncoder compiled = compiled(encoder);
    repeat(compiled, plain("a"));
    for (Map<String, String> mdc :
        List.of(Map.of("a", "1"), Map.of("a.b", "2"), Map.of("a", "1", "a.b", "2"))) {
      LoggingEvent event = plain("a", Instant.ofEpochSecond(1_800_000_000), mdc);
      assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
    }
  }

  /** The second of two providers writes no key of the first. */
  @Test
  void keysMayComeInAnotherOrder() {
    MdcJsonProvider first = new MdcJsonProvider();
    first.addIncludeMdcKeyName("b");
    MdcJsonProvider others = new MdcJsonProvider();
    others.addExcludeMdcKeyName("b");
    List<JsonProvider<ILoggingEvent>> providers =
        List.of(new LoggingEventFormattedTimestampJsonProvider(), first, others);
    Encoder<ILoggingEvent> encoder =
        start(
            new LoggingEventCompositeJsonEncoder(),
            of -> providers.forEach(of.getProviders()::addProvider));
    LineEncoder compiled = compiled(encoder);
    Instant time = Instant.ofEpochSecond(1_800_000_000);
    for (String key : List.of("a", "b", "c")) {
      repeat(compiled, plain("a", time, Map.of(key, "1")));
    }
    LoggingEvent event = plain("a", time, new TreeMap<>(Map.of("a", "1", "b", "2", "c", "3")));
    assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
    assertThat(compiled.isCurrent()).isTrue();
  }

  @Test
  void aKeyForWhichThereIsNoRoomCostsNoSample() {
    Encoder<ILoggingEvent> encoder = logstash(of -> {});
    LineEncoder compiled = compiled(encoder);
    LoggingEvent event = plain("a");
    for (int i = 0; i < 300; i++) {
      event = plain("a", Instant.ofEpochSecond(1_800_000_000), Map.of("key" + i, "a"));
      assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
    }
    assertThat(allocated(compiled, event)).isLessThan(allocated(encoder, event) * 3 / 2);
  }

  private static long allocated(Encoder<ILoggingEvent> encoder, ILoggingEvent event) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    for (int i = 0; i < 1_000; i++) {
      encoder.encode(event);
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void anEncoderThatIsChangedLaterIsFoundOut() {
    LogstashEncoder encoder = new LogstashEncoder();
    LineEncoder compiled = compiled(start(encoder, of -> {}));
    ILoggingEvent event = plain("a");
    assertThat(compiled.encode(event)).isEqualTo(encoder.encode(event));
    encoder.setVersion("2");
    assertThat(compiled.encode(event)).isEqualTo(encoder.encode(event));
    assertThat(compiled.isCurrent()).isFalse();
  }

  @Test
  void aStoppedEncoderIsAsked() {
    Encoder<ILoggingEvent> encoder = logstash(of -> {});
    LineEncoder compiled = compiled(encoder);
    ILoggingEvent event = plain("a");
    assertThat(compiled.encode(event)).isNotEmpty();
    encoder.stop();
    assertThat(line(compiled, event)).isEqualTo(line(encoder, event));
  }
}
