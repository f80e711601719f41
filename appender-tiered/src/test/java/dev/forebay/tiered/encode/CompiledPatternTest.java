package dev.forebay.tiered.encode;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.PatternLayout;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import com.sun.management.ThreadMXBean;
import dev.forebay.tiered.Joran;
import java.lang.management.ManagementFactory;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.ShrinkingMode;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A compiled pattern writes the bytes that Logback's encoder writes, whatever it is. */
class CompiledPatternTest {

  private static final int EVENTS = 40;

  private static final List<Charset> CHARSETS =
      Arrays.asList(
          null, StandardCharsets.UTF_8, StandardCharsets.US_ASCII, StandardCharsets.ISO_8859_1);

  /** An encoder of Logback's, started; null if that throws. */
  private static @Nullable PatternLayoutEncoder started(
      LoggerContext context, String pattern, @Nullable Charset charset) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern(pattern);
    encoder.setCharset(charset);
    try {
      encoder.start();
    } catch (RuntimeException e) {
      return null;
    }
    return encoder;
  }

  /** As the flusher has one. */
  private record Line(LineEncoder encoder, TextBuffer text) {
    void encode(ILoggingEvent event) {
      encoder.encode(event, text);
    }
  }

  private static Line line(LineEncoder encoder) {
    return new Line(encoder, encoder.newLine());
  }

  private static Object outcome(Encoder<ILoggingEvent> encoder, ILoggingEvent event) {
    try {
      return encoder.encode(event);
    } catch (RuntimeException e) {
      return e.toString();
    }
  }

  private static Object outcome(Line line, ILoggingEvent event) {
    try {
      line.encode(event);
      return Arrays.copyOf(line.text.bytes(), line.text.length());
    } catch (RuntimeException e) {
      assertThat(line.text.length()).as("half a line").isZero();
      return e.toString();
    }
  }

  @Property(shrinking = ShrinkingMode.OFF)
  void whateverThePatternTheBytesAreLogbacks(@ForAll long seed) {
    Random random = new Random(seed);
    LoggerContext context = new LoggerContext();
    context.setPackagingDataEnabled(random.nextInt(4) == 0);
    context.putProperty("key", "of the context");
    String pattern = new RandomPatterns(random).next();
    Charset charset = CHARSETS.get(random.nextInt(CHARSETS.size()));
    PatternLayoutEncoder logbacks = started(context, pattern, charset);
    PatternLayoutEncoder ours = started(context, pattern, charset);
    if (logbacks == null || ours == null) {
      return;
    }
    CompiledPattern compiled = CompiledPattern.of(ours);
    if (compiled == null) {
      assertThat(ours.getLayout().isStarted()).as(pattern).isFalse();
      return;
    }
    Line line = line(compiled);
    RandomEvents events = new RandomEvents(random, context);
    for (int i = 0; i < EVENTS; i++) {
      LoggingEvent event = events.next();
      Object expected = outcome(logbacks, event);
      Object found = random.nextInt(3) == 0 ? outcome(compiled, event) : outcome(line, event);
      assertThat(found)
          .as("%s of %s at %d: %s", pattern, event, event.getTimeStamp(), text(expected))
          .isEqualTo(expected);
    }
  }

  private static String text(Object outcome) {
    return outcome instanceof byte[] bytes ? new String(bytes, StandardCharsets.UTF_8) : "throws";
  }

  private static CompiledPattern compiled(@Nullable PatternLayoutEncoder encoder) {
    Objects.requireNonNull(encoder);
    assertThat(CompiledPattern.obstacle(encoder)).isEmpty();
    return Objects.requireNonNull(CompiledPattern.of(encoder));
  }

  private static LoggingEvent event(LoggerContext context, String message, Object... arguments) {
    return new LoggingEvent(
        "", context.getLogger("com.acme.Shop"), Level.INFO, message, null, arguments);
  }

  /** As frameworks and their guides write them, and as people do. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX} %5p 4711 --- [shop] [%t] %-40.40logger{39} : %m%n%ex", // Spring Boot
        "%clr(%d{yyyy-MM-dd'T'HH:mm:ss.SSSXXX}){faint} %clr(${LEVEL:-%5p}) %m%n%wEx", // its words
        "%d{yyyy-MM-dd HH:mm:ss} %highlight(%-5level) %cyan(%logger{36}) %magenta(%X{pekkoSource}) %msg%n", // Play
        "%date [%level] from %logger in %thread - %message%n%xException", // Play, to a file
        "%d{HH:mm:ss.SSS} [%-5level] %logger{15} - %msg%n%rEx", // Gatling
        "%-5p [%d{ISO8601,UTC}] %c: %m%n%rEx", // Dropwizard
        "%cyan(%d{HH:mm:ss.SSS}) %gray([%thread]) %highlight(%-5level) %magenta(%logger{36}) - %msg%n", // Micronaut
        "%d{YYYY-MM-dd HH:mm:ss.SSS} [%thread] %-5level %logger{36} - %msg%n", // Ktor
        "%d{HH:mm:ss.SSS} [%thread] %-5level %logger{36} -%kvp- %msg%n", // Logback's own default
        "%d %-4relative [%thread] %-5level %logger{35} - %msg %n",
        "%d{HH:mm:ss.SSS} %-5level [%X{traceId:-},%X{spanId:-}] %c{1.} %marker %m%n%xEx{short}",
        "[%d{dd/MMM/yyyy:HH:mm:ss Z, UTC, en}] %replace(%msg){'[\r\n]', '_'} %ex{10}%nopex%n",
        "%d{\"yyyy-MM-dd HH:mm:ss,SSS\"}|%contextName|%t|%level|%c{0}|%mdc|%m|%property{key}%n",
        "%date{ISO8601} %.-1level %-20.20(%logger{0}:%L) %msg %caller{1}%n",
        "<%level> ts=%d{yyyy-MM-dd'T'HH:mm:ss.SSS'Z', UTC} logger=%c thread=\"%t\" msg=\"%m\"%n",
        "%d{STRICT} %epoch %micros %sn %prefix(%level %X{key} %msg)%n"
      })
  void whatProjectsWriteIsCompiled(String pattern) {
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder logbacks = started(context, pattern, null);
    Line line = line(compiled(started(context, pattern, null)));
    RandomEvents events = new RandomEvents(new Random(1), context);
    for (int i = 0; i < 500; i++) {
      LoggingEvent event = events.next();
      assertThat(outcome(line, event)).as("%s", event).isEqualTo(outcome(logbacks, event));
    }
  }

  @Test
  void anArgumentThatThrowsIsWrittenAsLogbackDoes() {
    LoggerContext context = new LoggerContext();
    Object throwing =
        new Object() {
          @Override
          public String toString() {
            throw new UnsupportedOperationException("not as text");
          }
        };
    PatternLayoutEncoder encoder = started(context, "%msg%n", null);
    LoggingEvent event = event(context, "x {}", throwing);
    assertThat(outcome(line(compiled(encoder)), event)).isEqualTo(encoder.encode(event));
  }

  /** A word of the user's. */
  public static final class Failing extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
      if (event.getMessage().equals("bad")) {
        throw new IllegalStateException("bad");
      }
      return "fine";
    }
  }

  @Test
  void aWordThatThrowsLeavesNoHalfLine() throws Exception {
    LoggerContext context = new LoggerContext();
    Joran.word(context, "own", Failing.class);
    CompiledPattern pattern = compiled(started(context, "%msg %-6own|%n", null));
    Line line = line(pattern);
    assertThat(outcome(line, event(context, "bad"))).asString().contains("IllegalState");
    assertThat(outcome(pattern, event(context, "bad"))).asString().contains("IllegalState");
    for (Object good :
        List.of(outcome(line, event(context, "a")), outcome(pattern, event(context, "a")))) {
      assertThat(text(good)).isEqualTo("a fine  |" + System.lineSeparator());
    }
  }

  @Test
  void aCounterGoesOnCounting() {
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder encoder = started(context, "%lsn", null);
    Line line = line(compiled(encoder));
    LoggingEvent event = event(context, "a");
    long first = Long.parseLong(text(encoder.encode(event)));
    assertThat(text(outcome(line, event))).isEqualTo(String.valueOf(first + 1));
    assertThat(text(encoder.encode(event))).isEqualTo(String.valueOf(first + 2));
  }

  @Test
  void whatItDoesNotKnowIsLeftToLogbackAndSaid() {
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder other = new PatternLayoutEncoder() {};
    other.setContext(context);
    other.setPattern("%msg");
    other.start();
    PatternLayoutEncoder wide = started(context, "%msg", StandardCharsets.UTF_16);
    PatternLayoutEncoder broken = started(context, "%msg{", null);
    assertThat(List.of(other, wide, broken)).allMatch(each -> CompiledPattern.of(each) == null);
    assertThat(CompiledPattern.obstacle(other)).contains(getClass().getName());
    assertThat(CompiledPattern.obstacle(wide)).contains("UTF-16");
    assertThat(CompiledPattern.obstacle(broken)).contains("did not start");
  }

  @Test
  void anEncoderThatIsChangedLaterWritesWhatItThenIs() {
    LoggerContext context = new LoggerContext();
    PatternLayoutEncoder encoder = Objects.requireNonNull(started(context, "%msg a", null));
    CompiledPattern pattern = compiled(encoder);
    Line line = line(pattern);
    LoggingEvent event = event(context, "Gr\u00FC\u00DFe");
    List<Runnable> changes =
        List.of(
            () -> {},
            () -> encoder.setCharset(StandardCharsets.UTF_16),
            () -> encoder.setPattern("%msg b"),
            encoder::stop,
            encoder::start,
            () -> ((PatternLayout) encoder.getLayout()).setPattern("%msg c"),
            () -> encoder.getLayout().start(),
            () -> encoder.getLayout().stop());
    for (Runnable change : changes) {
      change.run();
      byte[] expected = encoder.encode(event);
      assertThat(outcome(line, event)).isEqualTo(expected);
      assertThat(outcome(pattern, event)).isEqualTo(expected);
    }
  }

  @Test
  void aPlainLineAllocatesNothing() {
    LoggerContext context = new LoggerContext();
    Line line =
        line(
            compiled(
                started(
                    context, "%d{HH:mm:ss.SSS} [%thread] %-5level %logger{36} - %msg%n", null)));
    LoggingEvent event = event(context, "Order {} took {} ms", "A-17", 12);
    event.setTimeStamp(1_780_000_000_000L);
    LoggingEvent next = event(context, "Gr\u00FC\u00DFe \uD83D\uDE00");
    next.setTimeStamp(1_780_000_000_001L);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = 0;
    for (int i = 0; i < 1_100; i++) {
      if (i == 100) { // messages are formatted, names are known
        before = threads.getThreadAllocatedBytes(Thread.currentThread().getId());
      }
      line.encode(event);
      line.encode(next);
    }
    long bytes = threads.getThreadAllocatedBytes(Thread.currentThread().getId()) - before;
    assertThat(bytes).as("of 2000 events").isLessThan(2_000);
  }

  @Test
  void manyThreadsWriteAtOnce() throws Exception {
    LoggerContext context = new LoggerContext();
    String words = "%d{ss.SSS} %-5level %c{5} %t %msg";
    PatternLayoutEncoder logbacks = started(context, words, null);
    CompiledPattern pattern = compiled(started(context, words, null));
    ExecutorService threads = Executors.newFixedThreadPool(4);
    try {
      List<Future<?>> ends = new ArrayList<>();
      for (int seed = 0; seed < 4; seed++) {
        RandomEvents events = new RandomEvents(new Random(seed), context);
        ends.add(
            threads.submit(
                () -> {
                  for (int i = 0; i < 1_000; i++) {
                    LoggingEvent event = events.next();
                    assertThat(outcome(pattern, event)).isEqualTo(outcome(logbacks, event));
                  }
                }));
      }
      for (Future<?> end : ends) {
        end.get();
      }
    } finally {
      threads.shutdownNow();
    }
  }
}
