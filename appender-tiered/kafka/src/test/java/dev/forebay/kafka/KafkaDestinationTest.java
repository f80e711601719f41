package dev.forebay.kafka;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a configuration may say; no broker is there. */
class KafkaDestinationTest {

  private static final String GOOD =
      "<topic>app-logs</topic><bootstrapServers>127.0.0.1:1</bootstrapServers>";

  @TempDir Path spool;
  private final LoggerContext context = new LoggerContext();

  @AfterEach
  void stop() {
    context.stop();
  }

  private List<String> problems(String destination, String more) throws Exception {
    String xml =
        """
        <configuration>
          <appender name="KAFKA" class="dev.forebay.tiered.TieredAppender">
            <destination class="dev.forebay.kafka.KafkaDestination">%s</destination>
            <spoolDirectory>%s</spoolDirectory><maxFlushTime>1 second</maxFlushTime>%s
            <encoder><pattern>%%msg%%n</pattern></encoder>
          </appender>
          <root><appender-ref ref="KAFKA"/></root>
        </configuration>
        """
            .formatted(destination, spool, more);
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() >= Status.WARN)
        .map(Status::getMessage)
        .filter(text -> !text.contains(" is not on tmpfs"))
        .toList();
  }

  @Test
  void withoutABrokerItStartsAndTakesEvents() throws Exception {
    String several = GOOD.replace("127.0.0.1:1", "127.0.0.1:1 , [::1]:2,127.0.0.1:3,");
    assertThat(problems(several + "<producerConfig>compression.type=zstd</producerConfig>", ""))
        .isEmpty();
    context.setMDCAdapter(new LogbackMDCAdapter());
    context.getLogger("a").info("waits in the spool");
    context.stop();
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .extracting(Status::getMessage)
        .anyMatch(
            text -> text.contains("1 events are left") && text.contains("forebay cat --unsh"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<bootstrapServers>a:1</bootstrapServers> | <topic> of <destination> is \"\": must be 1 to 249",
        "<topic>a b</topic> | <topic> of <destination> is \"a b\": must be",
        "<topic>a</topic> | <bootstrapServers> of <destination> is \"\": must be host:port",
        "GOOD<partitionBy>host</partitionBy> | <partitionBy> is \"host\": must be appender, thread or mdc:NAME",
        "GOOD<producerConfig>acks=0</producerConfig> | <producerConfig>: acks must be all",
        "GOOD<producerConfig>enable.idempotence=false</producerConfig> | must be true, or retries",
        "GOOD<producerConfig>transactional.id=x</producerConfig> | the destination sets transactional.id itself",
        "GOOD<producerConfig>acks</producerConfig> | <producerConfig>: number 1 must be name=value",
        "GOOD<producerConfig>request.timeout.ms=soon</producerConfig> | Invalid value … for configuration request.timeout.ms",
        "<topic>a</topic><bootstrapServers>broker</bootstrapServers> | is \"broker\": must be host:port",
        "<topic>a</topic><bootstrapServers>a:1, b</bootstrapServers> | is \"a:1, b\": must be host:port",
      })
  void whatBreaksThePromiseKeepsItFromStarting(String destination, String expected)
      throws Exception {
    assertThat(problems(destination.replace("GOOD", GOOD), ""))
        .anySatisfy(text -> assertThat(text).contains("not started").contains(expected.trim()));
  }

  @Test
  void whatKafkaDoesNotKnowIsTold() throws Exception {
    assertThat(problems(GOOD + "<producerConfig>lingers=5</producerConfig>", ""))
        .singleElement()
        .asString()
        .contains("Kafka's producer has no lingers");
  }

  @ParameterizedTest
  @CsvSource({
    "partitioner.ignore.keys=true, breaks the order of events",
    "linger.ms=1000, linger.ms has no meaning here",
  })
  void whatIsNotAsItSeemsIsTold(String setting, String expected) throws Exception {
    assertThat(problems(GOOD + "<producerConfig>" + setting + "</producerConfig>", ""))
        .singleElement()
        .asString()
        .contains(expected);
  }

  @Test
  void aCommitMustComeBeforeBrokersAbortItsTransaction() throws Exception {
    String fsync = "<fsync>20 seconds</fsync>";
    assertThat(problems(GOOD, fsync)).isEmpty();
    context.reset();
    String timeout = "<producerConfig>transaction.timeout.ms=20000</producerConfig>";
    assertThat(problems(GOOD + timeout, fsync))
        .anySatisfy(
            text ->
                assertThat(text)
                    .contains("<fsync> is 20000 ms: must be less than the producer's")
                    .contains("transaction.timeout.ms, 20000"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "<file>app.log</file> | <destination> and <file> exclude each other",
        "<target>System.out</target> | <destination> and <target> exclude each other",
        "<fsync>never</fsync> | <fsync> is \"never\": must be always or an interval",
      })
  void aFileHereAndATopicThereNeedTwoAppenders(String more, String expected) throws Exception {
    assertThat(problems(GOOD, more)).anySatisfy(text -> assertThat(text).contains(expected));
  }
}
