package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.LIST;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggerContextVO;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import com.sun.management.ThreadMXBean;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import dev.forebay.tiered.encode.TextBuffer;
import java.io.ByteArrayInputStream;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.event.KeyValuePair;

class JsonLinesEncoderTest {

  private final LoggerContext context = context();
  private final AnyEvent any = new AnyEvent();

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  private JsonLinesEncoder encoder(String format, String... fields) {
    return Lines.encoder(context, format, encoder -> List.of(fields).forEach(encoder::addField));
  }

  private Map<String, Object> fields(String format, String... fields) {
    return Lines.fields(encoder(format, fields), any.event());
  }

  /** The format's own field, else the static one, else the pair, else the MDC's. */
  @ParameterizedTest
  @CsvSource({
    "logstash, message, hello",
    "logstash, mine, static",
    "logstash, a, pair",
    "logstash, b, mdc",
    "logstash, stack_trace, pair",
    "logstash, tags, pair",
    "ecs, log.level, INFO",
    "ecs, mine, static",
    "ecs, log, pair",
    "ecs, error.type, pair",
    "gelf, level_name, INFO",
    "gelf, _level_name, INFO",
    "gelf, version, pair",
    "gelf, _mine, static",
    "gelf, _a, pair",
    "gelf, b, mdc"
  })
  void theFirstThatHasANameWritesIt(String format, String name, String winner) {
    any.message = "hello";
    any.mdc = Map.of(name, "mdc");
    if (!name.equals("b")) {
      any.pairs = List.of(new KeyValuePair(name, "first"), new KeyValuePair(name, "pair"));
    }
    String written = format.equals("gelf") && !name.startsWith("_") ? "_" + name : name;
    assertThat(fields(format, "mine=static")).containsEntry(written, winner);
  }

  @Test
  void aFieldOfTheFormatWinsWhereItIsWritten() {
    any.mdc = Map.of("stack_trace", "mdc", "tags", "mdc");
    any.markers = List.of(AnyEvent.marker("AUDIT"));
    any.throwable = new IllegalStateException("wrong");
    assertThat(fields("logstash"))
        .containsEntry("tags", List.of("AUDIT"))
        .extractingByKey("stack_trace")
        .asString()
        .startsWith("java.lang.IllegalStateException: wrong");
  }

  @Test
  void gelfLeavesOutWhatItsNamesCannotBe() {
    any.mdc = new LinkedHashMap<>(Map.of("id", "1", "a b", "2", "a-b.c", "3", "_d", "4", "d", "5"));
    assertThat(fields("gelf"))
        .containsEntry("_a-b.c", "3")
        .containsEntry("_d", "5")
        .doesNotContainKeys("_id", "_a b", "id", "a b");
  }

  @Test
  void aNumberThatIsNoneIsText() {
    any.pairs =
        List.of(
            new KeyValuePair("nan", Double.NaN),
            new KeyValuePair("infinite", Float.NEGATIVE_INFINITY),
            new KeyValuePair("least", Long.MIN_VALUE),
            new KeyValuePair("yes", true),
            new KeyValuePair("none", null));
    assertThat(fields("ecs"))
        .containsEntry("nan", "NaN")
        .containsEntry("infinite", "-Infinity")
        .containsEntry("least", Long.MIN_VALUE)
        .containsEntry("yes", true)
        .containsEntry("none", null);
  }

  /** Others write a question mark or another character for half a surrogate pair. */
  @ParameterizedTest
  @ValueSource(strings = {"\uD800", "a\uDC00\uD800b", "\uD83D\uDE00\uD83D", "\u2028\u0085\u0000"})
  void anyTextIsReadAsItWas(String text) {
    any.message = text;
    any.mdc = Map.of(text, text);
    assertThat(fields("logstash")).containsEntry("message", text).containsEntry(text, text);
    assertThat(new String(encoder("logstash").encode(any.event()), StandardCharsets.UTF_8))
        .doesNotContain("?", text);
  }

  private static final class Failing {
    private final Throwable failure;

    Failing(Throwable failure) {
      this.failure = failure;
    }

    @Override
    public String toString() {
      return Failing.<RuntimeException>thrown(failure);
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> String thrown(Throwable failure) throws T {
      throw (T) failure;
    }
  }

  @Test
  void aValueWhoseTextFailsSaysSo() {
    for (Throwable failure :
        List.of(
            new Exception("checked"),
            new NoClassDefFoundError(),
            new StackOverflowError(),
            new OutOfMemoryError(),
            new Error("kotlin.NotImplementedError"))) {
      any.pairs = List.of(new KeyValuePair("bad", new Failing(failure)));
      assertThat(fields("logstash"))
          .containsEntry(
              "bad",
              "[toString() of %s failed: %s]"
                  .formatted(Failing.class.getName(), failure.getClass().getName()));
    }
  }

  @Test
  void stackTracesHaveLimits() {
    any.throwable = new IllegalStateException("x".repeat(60) + "\uD83D\uDE00".repeat(60));
    for (int length : new int[] {1, 3, 4, 111, 112, 113, 100_000}) {
      JsonLinesEncoder encoder =
          Lines.encoder(
              context,
              "ecs",
              limited -> {
                limited.setMaxStackTraceLength(length);
                limited.setMaxStackTraceDepth(2);
              });
      Object trace = Lines.fields(encoder, any.event()).get("error.stack_trace");
      assertThat(trace).asString().hasSizeLessThanOrEqualTo(Math.max(3, length)).isNotEmpty();
      if (length == 100_000) {
        assertThat(trace.toString().split("\tat ", -1)).hasSize(3);
      } else {
        assertThat(trace).asString().endsWith("...");
      }
    }
  }

  @Test
  void mdcKeysAreChosen() {
    any.mdc = Map.of("a", "1", "b", "2", "c", "3");
    JsonLinesEncoder encoder =
        Lines.encoder(
            context,
            "logstash",
            chosen -> {
              chosen.addIncludeMdcKey("a");
              chosen.addIncludeMdcKey("b");
              chosen.addExcludeMdcKey("b");
            });
    assertThat(Lines.fields(encoder, any.event())).containsKey("a").doesNotContainKeys("b", "c");
  }

  /** An event that others than Logback made. */
  @Test
  void nothingIsNeededOfAnEvent() {
    LoggingEvent event = new LoggingEvent();
    event.setMDCPropertyMap(Map.of());
    for (String format : List.of("logstash", "ecs", "gelf", "otlp")) {
      assertThat(Lines.fields(encoder(format), event)).isNotEmpty();
    }
  }

  @Test
  void markersInACircleEnd() {
    any.markers = List.of(new Circle("CIRCLE", 1));
    assertThat(fields("ecs").get("tags")).asInstanceOf(LIST).hasSizeLessThan(100);
    any.markers = List.of(new Circle("CIRCLES", 100));
    assertThat(fields("ecs").get("tags")).asInstanceOf(LIST).hasSizeLessThan(100);
  }

  @Test
  void aMarkerThatFailsCostsTheTagsOnly() {
    any.message = "hello";
    any.markers = List.of(AnyEvent.marker("A"), new Circle(null, 0));
    assertThat(fields("ecs")).containsEntry("message", "hello").doesNotContainKey("tags");
  }

  /** Logback throws for an event without a context, or of one without an adapter. */
  @Test
  void anEventWithoutAnMdcIsWritten() {
    LoggingEvent event = new LoggingEvent();
    event.setMessage("hello");
    LoggerContext bare = new LoggerContext();
    for (String format : List.of("logstash", "ecs", "gelf")) {
      assertThat(Lines.fields(encoder(format), event)).containsValue("hello");
      assertThat(
              Lines.fields(
                  encoder(format),
                  new LoggingEvent("f", bare.getLogger("a"), Level.INFO, "hello", null, null)))
          .containsValue("hello");
    }
  }

  @Test
  void aPropertyOfTheContextThatIsNullIsNoField() {
    Map<String, String> properties = new HashMap<>(Map.of("a", "1"));
    properties.put("b", null);
    properties.put(null, "2");
    LoggingEvent event = any.event();
    event.setLoggerContextRemoteView(new LoggerContextVO("of", properties, 0));
    assertThat(Lines.fields(encoder("logstash"), event))
        .containsEntry("a", "1")
        .doesNotContainKey("b");
  }

  @Test
  void aMistakeIsAnErrorAndLinesAreWritten() {
    any.message = "hello";
    assertThat(fields("xml", "noequals", "=x", "ok= a=b ", "level=x")).containsEntry("ok", "a=b");
    assertThat(Lines.problems(context))
        .containsExactly(
            "ERROR <field> is \"noequals\": must be name=value; lines are written without it",
            "ERROR <field> is \"=x\": must be name=value; lines are written without it",
            "ERROR <format> is \"xml\": must be logstash, ecs, gelf or otlp; lines are written as logstash",
            "ERROR <field> is \"level=…\": its name must be one that logstash permits, and does not write itself; lines are written without it");
  }

  @Test
  void whatAFormatDoesNotHaveIsAWarning() {
    Lines.encoder(
        context,
        "logstash",
        encoder -> {
          encoder.setServiceName("shop");
          encoder.setMaxStackTraceLength(-5);
        });
    assertThat(Lines.problems(context))
        .containsExactly(
            "ERROR <maxStackTraceLength> is -5: must be 0, for no limit, or more; there is none",
            "WARN <serviceName> has no meaning with a <format> of logstash");
  }

  /** Nothing but the array that is returned. */
  @ParameterizedTest
  @ValueSource(strings = {"logstash", "ecs", "gelf", "otlp"})
  void aPlainEventAllocatesItsLine(String format) {
    JsonLinesEncoder encoder = encoder(format, "app=shop");
    any.message = "order 4711 of \"M\u00fcller\" accepted\n";
    any.time = Instant.ofEpochSecond(1_800_000_000, 123_456_000);
    any.context = context;
    ILoggingEvent event = any.event();
    byte[] bytes = encoder.encode(event);
    assertThat(allocatedBy(() -> encoder.encode(event)))
        .isLessThanOrEqualTo((bytes.length + 24L) * 1000);
    TextBuffer line = encoder.newLine();
    assertThat(allocatedBy(() -> encoder.encode(event, line)))
        .as("a thread's own")
        .isLessThan(2_000);
    assertThat(line.toBytes()).isEqualTo(bytes);
  }

  /** Bytes of a thousand calls. */
  private static long allocatedBy(Runnable call) {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < 2_000; i++) {
      if (i == 1_000) {
        before = threads.getCurrentThreadAllocatedBytes();
      }
      call.run();
    }
    return threads.getCurrentThreadAllocatedBytes() - before;
  }

  @Test
  void severalThreadsEncodeAtOnce() throws InterruptedException {
    JsonLinesEncoder encoder = encoder("logstash");
    List<Throwable> failures = Collections.synchronizedList(new ArrayList<>());
    List<Thread> threads =
        IntStream.range(0, 8)
            .mapToObj(
                number -> {
                  AnyEvent mine = new AnyEvent();
                  mine.message = String.valueOf(number).repeat(number * 50);
                  mine.time = Instant.ofEpochSecond(number);
                  byte[] expected = encoder.encode(mine.event());
                  Thread thread =
                      new Thread(
                          () -> {
                            for (int i = 0; i < 500; i++) {
                              assertThat(encoder.encode(mine.event())).isEqualTo(expected);
                            }
                          });
                  thread.setUncaughtExceptionHandler((of, failure) -> failures.add(failure));
                  return thread;
                })
            .toList();
    threads.forEach(Thread::start);
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(failures).isEmpty();
  }

  @Test
  void anAppenderWritesAFileOfIt(@TempDir Path directory) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="FILE" class="dev.forebay.tiered.TieredAppender">
            <file>%1$s/app.log</file>
            <spoolDirectory>%1$s</spoolDirectory>
            <ringBufferSize>64</ringBufferSize>
            <maxFlushTime>1 minute</maxFlushTime>
            <encoder class="dev.forebay.json.JsonLinesEncoder">
              <format>ecs</format>
              <serviceName>shop</serviceName>
              <field>team=orders</field>
              <field>region=eu</field>
              <includeMdcKey>user</includeMdcKey>
              <excludeMdcKey>password</excludeMdcKey>
              <maxStackTraceLength>2000</maxStackTraceLength>
              <maxStackTraceDepth>20</maxStackTraceDepth>
            </encoder>
          </appender>
          <root level="INFO"><appender-ref ref="FILE"/></root>
        </configuration>
        """
            .formatted(directory);
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    TieredAppender appender = (TieredAppender) context.getLogger("ROOT").getAppender("FILE");
    for (int i = 0; i < 2000; i++) { // more than the ring, so that calls encode, too
      context.getLogger("shop").atInfo().addKeyValue("number", i).log("order\n{}", i);
    }
    context.stop();

    assertThat(Lines.problems(context)).noneMatch(text -> text.contains("encoder"));
    LedgerSnapshot account = appender.snapshot();
    assertThat(account.dropped()).isZero();
    List<String> lines = Files.readAllLines(directory.resolve("app.log"));
    assertThat(lines).hasSize(2000);
    for (int i = 0; i < lines.size(); i++) {
      assertThat(Lines.parsed(lines.get(i)))
          .containsEntry("number", i)
          .containsEntry("message", "order\n" + i)
          .containsEntry("team", "orders")
          .containsEntry("region", "eu")
          .containsEntry("service.name", "shop");
    }
  }
}
