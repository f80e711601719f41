package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.encoder.JsonEncoder;
import dev.forebay.RedactOptions;
import dev.forebay.host.Await;
import dev.forebay.host.Secrets;
import dev.forebay.otlp.Collector.Request;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.MarkerFactory;

/** No secret is in a request, wherever an event has it. */
class RedactedRecordsTest {

  private static final int ROUNDS = 20;

  @TempDir Path spool;

  private final Random random = new Random(45);
  private final List<String> secrets = new ArrayList<>();
  private long sent;

  @Test
  void noSecretIsInARequest() throws Exception {
    assertThat(found(RedactedRecordsTest::redact)).isEmpty();
  }

  @Test
  void noSecretIsInARequestWhoseBodiesAreJson() throws Exception {
    Consumer<TieredAppender> json =
        appender -> {
          JsonEncoder encoder = new JsonEncoder();
          encoder.setContext(appender.getContext());
          encoder.start();
          appender.setEncoder(encoder);
          redact(appender);
        };
    assertThat(found(json)).isEmpty();
  }

  /** Else nothing would be found where something is. */
  @Test
  void whatIsNotRedactedIsFound() throws Exception {
    assertThat(found(appender -> {})).containsAll(secrets);
  }

  private static void redact(TieredAppender appender) {
    RedactOptions rules = new RedactOptions();
    rules.addKey("*password*");
    rules.addPattern(RedactOptions.PATTERNS);
    rules.addRegex("pin-\\d+");
    appender.addRedact(rules);
  }

  private List<String> found(Consumer<TieredAppender> configured) throws Exception {
    try (Collector collector = Collector.start();
        Shop shop =
            Shop.start(spool, to -> to.setEndpoint(collector.endpoint()), Map.of(), configured)) {
      for (int i = 0; i < ROUNDS; i++) {
        for (String[] each : new Secrets(random).all().values()) {
          logEverywhere(shop, each[0]);
          secrets.add(each[1]);
        }
        String pin = "pin-" + (100_000 + random.nextInt(900_000));
        logEverywhere(shop, pin);
        secrets.add(pin);
        String byKey = new Secrets(random).text(20);
        logByKey(shop, byKey);
        secrets.add(byKey);
      }
      Await.until("sent", () -> collector.bodies().size() == sent);
      assertThat(shop.account().dropped()).isZero();
      StringBuilder all = new StringBuilder();
      for (Request each : collector.requests()) {
        all.append(new String(each.logs().toByteArray(), ISO_8859_1)).append(each.uri());
        each.headers().values().forEach(all::append);
      }
      String text = all.toString().replace("\\", "");
      return secrets.stream().filter(text::contains).toList();
    }
  }

  @SuppressWarnings("OverrideThrowableToString") // others do
  private void logEverywhere(Shop shop, String secret) throws InterruptedException {
    Logger log = shop.log;
    log.info("message {} and " + secret, secret);
    shop.context.getMDCAdapter().put("user", secret);
    shop.context.getMDCAdapter().put(secret, "x");
    log.info("MDC");
    shop.context.getMDCAdapter().clear();
    byte[] bytes = secret.getBytes(StandardCharsets.US_ASCII);
    for (Object value :
        List.of(
            secret,
            CharBuffer.wrap(secret),
            secret.toCharArray(),
            bytes,
            new String[] {secret},
            new Object[] {List.of(secret)},
            Map.of("a", Map.of("b", new Object[] {secret})),
            Map.of(secret, 1))) {
      log.atInfo().addKeyValue("pair", value).log("pair");
      sent++;
    }
    log.atInfo().addKeyValue(secret, 1).log("name");
    IllegalStateException thrown =
        new IllegalStateException("thrown " + secret, new IOException("cause: " + secret));
    thrown.addSuppressed(new IllegalArgumentException(secret));
    log.info("thrown", thrown);
    log.info(
        "shown",
        new IllegalStateException() {
          private static final long serialVersionUID = 1;

          @Override
          public String toString() {
            return secret;
          }
        });
    log.info(MarkerFactory.getDetachedMarker("marker " + secret), "marker");
    org.slf4j.Marker outer = MarkerFactory.getDetachedMarker("outer");
    outer.add(MarkerFactory.getDetachedMarker("in " + secret));
    log.info(outer, "markers");
    Thread thread = new Thread(() -> log.info("thread"), "thread " + secret);
    thread.start();
    thread.join();
    shop.context.getLogger("logger " + secret).info("logger");
    sent += 9;
  }

  private void logByKey(Shop shop, String secret) {
    shop.context.getMDCAdapter().put("db.PASSWORD", secret);
    shop.log.info("MDC");
    shop.context.getMDCAdapter().clear();
    Map<String, String> map = Map.of("password", secret);
    for (Object value :
        List.of(map, List.of(map), new Object[] {map}, map.entrySet(), Map.of("a", map))) {
      shop.log.atInfo().addKeyValue("user", value).log("{} {}", value, "x");
      sent++;
    }
    shop.log.atInfo().addKeyValue("password", secret.toCharArray()).log("pair");
    sent += 2;
  }
}
