package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.pattern.ClassicConverter;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import net.logstash.logback.composite.AbstractJsonProvider;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.JsonGenerator;

/** Which thread encodes, and whether a line shows another thread's values. */
class CallerEncodingTest {

  private static final ThreadLocal<String> TENANT = new ThreadLocal<>();
  private static final String WORD = "<encoder><pattern>%tenant|%msg%n</pattern></encoder>";
  private static final String RING = "<ringBufferSize>1024</ringBufferSize>";

  @TempDir Path directory;

  @AutoClose("stop")
  private final LoggerContext context = new LoggerContext();

  private final Logger logger = context.getLogger("test");

  public static final class Tenant extends ClassicConverter {
    @Override
    public String convert(ILoggingEvent event) {
      return String.valueOf(TENANT.get());
    }
  }

  /** As the word, in JSON. */
  public static final class TenantProvider extends AbstractJsonProvider<ILoggingEvent> {
    @Override
    public void writeTo(JsonGenerator generator, ILoggingEvent event) {
      generator.writeStringProperty("tenant", String.valueOf(TENANT.get()));
    }
  }

  private void start(String inner) throws Exception {
    Joran.word(context, "tenant", Tenant.class);
    Joran.tiered(
        context,
        "<file>%s/app.log</file><maxFlushTime>1 minute</maxFlushTime>".formatted(directory)
            + inner);
  }

  private Thread startBurst(int number) {
    String tenant = "t" + number;
    Thread thread =
        new Thread(
            () -> {
              TENANT.set(tenant);
              IntStream.range(0, 2000).forEach(n -> logger.info(tenant));
            });
    thread.start();
    return thread;
  }

  private List<String> linesAfterBurst() throws Exception {
    List<Thread> threads = IntStream.range(0, 4).mapToObj(this::startBurst).toList();
    threads.forEach(Await::end);
    context.stop();
    List<String> lines = Files.readAllLines(directory.resolve("app.log"));
    assertThat(lines).hasSize(8000);
    return lines;
  }

  @ParameterizedTest
  @ValueSource(strings = {"ring", "call"})
  void aLineNeverShowsTheValueOfAnotherThread(String durability) throws Exception {
    start(
        WORD
            + RING
            + "<durability>"
            + durability
            + "</durability><durabilityTimeout>1 minute</durabilityTimeout>");
    assertThat(linesAfterBurst()).allMatch(line -> line.startsWith("null|"));
    assertThat(Joran.problems(context))
        .hasSize(1)
        .first()
        .asString()
        .contains("the encoder has %tenant, which is not one of Logback's")
        .contains("<callerEncoding> to always");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "<durability>call</durability>",
        "<durability>ERROR</durability>",
        "<appendTimeout>1 minute</appendTimeout>"
      })
  void aLineShowsTheValueOfItsThreadIfEachCallEncodes(String more) throws Exception {
    start(WORD + RING + "<callerEncoding>Always</callerEncoding>" + more);
    assertThat(linesAfterBurst()).allMatch(line -> line.substring(0, 2).equals(line.substring(3)));
    assertThat(Joran.problems(context)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = ';',
      value = {
        "LogstashEncoder; <provider class='%s'/>; ; dev.forebay.tiered.CallerEncodingTest$TenantProvider",
        "LogstashEncoder; <includeCallerData>true</includeCallerData>; CallerDataJsonProvider; ",
        "LogstashEncoder; ; ; ",
        "LoggingEventCompositeJsonEncoder; <providers><nestedField><providers><callerData/><provider class='%s'/></providers></nestedField></providers>; CallerDataJsonProvider; dev.forebay.tiered.CallerEncodingTest$TenantProvider",
        "LoggingEventCompositeJsonEncoder; <providers><pattern><pattern>{\"a\": \"%%tenant %%L\"}</pattern></pattern></providers>; LineOfCallerConverter; dev.forebay.tiered.CallerEncodingTest$Tenant",
      })
  void jsonIsLookedInto(String encoder, String inner, String asking, String foreign)
      throws Exception {
    String parts = inner == null ? "" : inner.formatted(TenantProvider.class.getName());
    start(
        "<encoder class='net.logstash.logback.encoder.%s'>%s</encoder>".formatted(encoder, parts));
    logger.info("event");
    context.stop();
    List<String> problems = Joran.problems(context);
    assertThat(problems).hasSize((asking == null ? 0 : 1) + (foreign == null ? 0 : 1));
    assertThat(problems)
        .allMatch(
            text ->
                text.contains("the encoder has " + asking + ", which will be question marks or")
                    || text.contains("the encoder has " + foreign + ", which is not one of"));
  }

  @Test
  void anotherValueIsRefused() throws Exception {
    start(WORD + "<callerEncoding>sometimes</callerEncoding>");
    assertThat(Joran.problems(context))
        .anyMatch(text -> text.contains("is \"sometimes\": must be true, false or always"));
  }

  /** What one logs enters the other, whose encoder logs again. */
  @Test
  void twoEncodersThatLogDoNotFeedEachOther() throws Exception {
    String appender =
        """
        <appender name="%s" class="dev.forebay.tiered.TieredAppender">
          <file>%s/%1$s.log</file><spoolDirectory>%2$s</spoolDirectory>
          <encoder class="%s"/>
        </appender>
        """;
    String encoder = Talkative.class.getName();
    Joran.configure(
        context,
        "<configuration>%s%s<root level='INFO'><appender-ref ref='A'/><appender-ref ref='B'/></root></configuration>"
            .formatted(
                appender.formatted("A", directory, encoder),
                appender.formatted("B", directory, encoder)));
    TieredAppender one = (TieredAppender) context.getLogger("ROOT").getAppender("A");
    logger.info("event");
    context.stop();
    assertThat(one.snapshot().offered()).isLessThan(20); // they never came to rest
    assertThat(one.snapshot().dropped(DropReason.REENTRANT)).isPositive();
    assertThat(one.snapshot().inFlight()).isZero();
  }

  public static final class Talkative extends EncoderBase<ILoggingEvent> {
    @Override
    public byte[] headerBytes() {
      return new byte[0];
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      ((LoggerContext) getContext()).getLogger("encoder").info("encoded");
      return "line\n".getBytes(StandardCharsets.US_ASCII);
    }

    @Override
    public byte[] footerBytes() {
      return new byte[0];
    }
  }
}
