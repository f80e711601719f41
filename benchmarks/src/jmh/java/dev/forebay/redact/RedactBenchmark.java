package dev.forebay.redact;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.RedactedLines;
import dev.forebay.tiered.encode.TextBuffer;
import java.nio.charset.StandardCharsets;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.mask.MaskingJsonGeneratorDecorator;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.slf4j.event.KeyValuePair;

/**
 * What redaction costs an event whose line of 120 bytes has no secret, beside Logback's {@code
 * %replace} and logstash-logback-encoder's {@code MaskingJsonGeneratorDecorator} with regular
 * expressions for the same. Each line is counted, and a run with one that is not as it should be is
 * void.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@SuppressWarnings("NullAway.Init") // JMH calls start first
public class RedactBenchmark {

  private static final int LINE_BYTES = 120;
  private static final Set<NamedPattern> ALL = EnumSet.allOf(NamedPattern.class);
  private static final List<String> KEYS = List.of("*password*", "*token", "*secret*");

  /** What the named patterns find, without check digits. */
  private static final String REGEX =
      "(?i:bearer|basic) +[\\w.~+/=-]+|eyJ[\\w-]+\\.[\\w.-]+|(?:AKIA|ASIA)[A-Z0-9]{16}"
          + "|AIza[\\w-]{30,}|gh[pousr]_\\w{20,}|xox\\w-[\\w-]{10,}|[\\w.%+-]+@[\\w-]+(?:\\.[\\w-]+)+"
          + "|\\b[A-Z]{2}\\d{2}(?: ?\\w{4}){2,7}\\b|\\b\\d(?:[ -]?\\d){12,18}\\b"
          + "|\\b\\d{1,3}(?:\\.\\d{1,3}){3}\\b|\\b(?:[0-9a-fA-F]{1,4}:){7}[0-9a-fA-F]{1,4}\\b";

  private static final String LINE = "%d %-5level [%t] %logger - %msg%n";

  private final Redactor byKey = redactor(KEYS, Set.of());
  private final EventRedactor byKeyOfEvents = new EventRedactor(byKey);
  private final Redactor byPattern = redactor(List.of(), ALL);
  private ILoggingEvent event;
  private byte[] line;
  private Encoder<ILoggingEvent> plain;
  private Encoder<ILoggingEvent> replacing;
  private LineEncoder compiled;
  private LineEncoder redacted;
  private TextBuffer buffer;
  private Encoder<ILoggingEvent> json;
  private Encoder<ILoggingEvent> masking;
  private LineEncoder redactedJson;
  private TextBuffer jsonBuffer;
  private long calls;
  private long lines;

  private static Redactor redactor(List<String> keys, Set<NamedPattern> patterns) {
    return new Redactor(new RedactRules(keys, patterns, List.of()));
  }

  /** Makes the encoders and an event. */
  @Setup
  public void start() {
    LoggerContext context = new LoggerContext();
    LogbackMDCAdapter mdc = new LogbackMDCAdapter();
    mdc.put("traceId", "4bf92f3577b34da6");
    mdc.put("user", "anna");
    mdc.put("path", "/orders");
    context.setMDCAdapter(mdc);
    LoggingEvent made =
        new LoggingEvent(
            "",
            context.getLogger("com.acme.shop.Orders"),
            Level.INFO,
            "order {} of customer {} was taken in 17",
            null,
            new Object[] {4711, "anna"});
    made.setThreadName("http-nio-8080-exec-3");
    made.setMDCPropertyMap(mdc.getPropertyMap());
    made.addKeyValuePair(new KeyValuePair("count", 3));
    made.prepareForDeferredProcessing();
    event = made;
    plain = pattern(context, LINE);
    replacing =
        pattern(context, "%replace(" + LINE.replace("%n", "") + "){'" + REGEX + "','***'}%n");
    compiled = Objects.requireNonNull(LineEncoder.of(plain));
    Redactor all = redactor(KEYS, ALL);
    redacted = (LineEncoder) RedactedLines.of(plain, all);
    buffer = redacted.newLine();
    json = json(context, false);
    masking = json(context, true);
    redactedJson = (LineEncoder) RedactedLines.of(json, all);
    jsonBuffer = redactedJson.newLine();
    line = plain.encode(event);
    if (line.length != LINE_BYTES) {
      throw new IllegalStateException("a line of %d bytes: run void".formatted(line.length));
    }
  }

  private static Encoder<ILoggingEvent> pattern(LoggerContext context, String pattern) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setCharset(StandardCharsets.UTF_8);
    encoder.setPattern(pattern);
    encoder.start();
    return encoder;
  }

  private static Encoder<ILoggingEvent> json(LoggerContext context, boolean masks) {
    LogstashEncoder encoder = new LogstashEncoder();
    encoder.setContext(context);
    if (masks) {
      MaskingJsonGeneratorDecorator decorator = new MaskingJsonGeneratorDecorator();
      decorator.setDefaultMask("***");
      List.of("password", "token", "secret").forEach(decorator::addPath);
      decorator.addValue(REGEX);
      decorator.start();
      encoder.addDecorator(decorator);
    }
    encoder.start();
    return encoder;
  }

  /** Every line was written whole. */
  @TearDown
  public void count() {
    if (lines != calls) {
      throw new IllegalStateException("%d of %d lines: run void".formatted(lines, calls));
    }
    System.out.printf(" (%d lines)%n", lines);
  }

  private byte[] counted(byte[] made) {
    calls++;
    lines += made[made.length - 1] == '\n' ? 1 : 0;
    return made;
  }

  private int counted(LineEncoder encoder, TextBuffer into) {
    encoder.encode(event, into);
    calls++;
    lines += into.bytes()[into.length() - 1] == '\n' ? 1 : 0;
    return into.length();
  }

  /** The names of an event are looked at. */
  @Benchmark
  public boolean byKey() {
    boolean isSame =
        !byKeyOfEvents.mayHaveKeys(event) && byKey.redact(line, line.length, false) == null;
    calls++;
    lines += isSame ? 1 : 0;
    return isSame;
  }

  /** The bytes of a line are searched for all patterns. */
  @Benchmark
  public boolean allPatterns() {
    boolean isSame = byPattern.redact(line, line.length, false) == null;
    calls++;
    lines += isSame ? 1 : 0;
    return isSame;
  }

  @Benchmark
  public byte[] pattern() {
    return counted(plain.encode(event));
  }

  @Benchmark
  public byte[] patternReplace() {
    return counted(replacing.encode(event));
  }

  @Benchmark
  public int compiledPattern() {
    return counted(compiled, buffer);
  }

  @Benchmark
  public int compiledPatternRedacted() {
    return counted(redacted, buffer);
  }

  @Benchmark
  public byte[] logstash() {
    return counted(json.encode(event));
  }

  @Benchmark
  public byte[] logstashMasking() {
    return counted(masking.encode(event));
  }

  @Benchmark
  public int logstashRedacted() {
    return counted(redactedJson, jsonBuffer);
  }
}
