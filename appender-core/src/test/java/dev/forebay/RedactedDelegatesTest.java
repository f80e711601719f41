package dev.forebay;

import static net.logstash.logback.argument.StructuredArguments.kv;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.AppenderBase;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.host.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.marker.Markers;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.MarkerFactory;

/** What attached appenders get of an event with secrets. */
class RedactedDelegatesTest {

  private final LoggerContext context = new LoggerContext();
  private final NonBlockingAppender appender = new NonBlockingAppender();
  private final Queue<ILoggingEvent> events = new ConcurrentLinkedQueue<>();

  @AfterEach
  void stop() {
    context.stop();
  }

  private void start(RedactOptions redact) {
    context.setMDCAdapter(new LogbackMDCAdapter());
    AppenderBase<ILoggingEvent> attached =
        new AppenderBase<>() {
          @Override
          protected void append(ILoggingEvent event) {
            events.add(event);
          }
        };
    attached.setContext(context);
    attached.start();
    appender.setContext(context);
    appender.setName("A");
    appender.addRedact(redact);
    appender.addAppender(attached);
    appender.start();
    context.getLogger("ROOT").addAppender(appender);
  }

  private static RedactOptions rules() {
    RedactOptions redact = new RedactOptions();
    redact.addKey("*password*");
    redact.addPattern(RedactOptions.PATTERNS);
    return redact;
  }

  @Test
  void noPartOfAnEventHasASecret() throws Exception {
    start(rules());
    Random random = new Random(4);
    ch.qos.logback.classic.Logger logger = context.getLogger("com.acme.Orders");
    LogstashEncoder json = new LogstashEncoder();
    json.setContext(context);
    json.start();
    PatternLayoutEncoder text = new PatternLayoutEncoder();
    text.setContext(context);
    text.setPattern("%t %logger %marker %X %kvp thrown %msg%n%xEx");
    text.start();
    for (String[] each : new Secrets(random).all().values()) {
      String secret = each[0];
      context.getMDCAdapter().put("user", secret);
      context.getMDCAdapter().put("db.Password", "by key " + each[1]);
      IllegalStateException thrown = new IllegalStateException(secret, new Exception(secret));
      thrown.addSuppressed(new Exception(secret));
      logger
          .atWarn()
          .addKeyValue("a", secret)
          .addKeyValue("b", Map.of("password", secret, "c", List.of(secret)))
          .addMarker(MarkerFactory.getDetachedMarker(secret))
          .addMarker(Markers.append("d", secret).and(Markers.append("password", "x")))
          .setCause(thrown)
          .log("{} and {} in " + secret, secret, kv("password", secret));
      assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
      assertThat(appender.mxBean().getLastError()).isEmpty();
      ILoggingEvent event = events.remove();
      assertThat(new String(text.encode(event), StandardCharsets.UTF_8))
          .contains("password=***", "thrown")
          .doesNotContain(each[1]);
      assertThat(new String(json.encode(event), StandardCharsets.UTF_8).replace("\\", ""))
          .contains("\"user\":", "\"password\":\"***\"")
          .doesNotContain(each[1]);
      assertThat(event.getMDCPropertyMap()).containsEntry("db.Password", "***");
    }
    Map<String, Long> account = appender.mxBean().getAccount();
    assertThat(account).containsKeys("redacted.email", "redacted.jwt", "redacted.key-*password*");
  }

  @Test
  void anEventWithoutSecretsIsPassedOnAsItIs() {
    RedactOptions keys = new RedactOptions();
    keys.addKey("password");
    start(keys);
    context.getLogger("a").info("{}", 1);
    assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
    assertThat(events.remove().getClass().getName())
        .isEqualTo("ch.qos.logback.classic.spi.LoggingEvent");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "key | * | <key> of <redact> is \"*\": must be the name of a value",
        "key | '' | <key> of <redact> is \"\": must be the name of a value",
        "pattern | jwt, mail | <pattern> of <redact> is \"mail\": must be of bearer, basic, jwt",
        "regex | a( | <regex> number 1 of <redact>: Unclosed group near index 2",
        "regex | x* | <regex> number 1 of <redact> matches the empty text",
        "none | x | <redact> has no rule",
      })
  void badRulesAreRefusedAndSaid(String element, String value, String message) {
    RedactOptions redact = new RedactOptions();
    switch (element) {
      case "key" -> redact.addKey(value);
      case "pattern" -> redact.addPattern(value);
      case "regex" -> redact.addRegex(value);
      default -> {}
    }
    start(redact);
    assertThat(appender.isStarted()).isFalse();
    Await.said();
    assertThat(context.getStatusManager().getCopyOfStatusList())
        .filteredOn(status -> status.getLevel() == Status.ERROR)
        .extracting(Status::getMessage)
        .anyMatch(text -> text.contains(message));
  }
}
