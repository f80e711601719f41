package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.MDC;

/** Events that repeat what a stranger sent, through the examples that are made for that. */
class LogInjectionIT {

  private static final String ATTACK =
      " \r\n2026-01-01 00:00:00,000 ERROR forged\n\u001B[31mred\u009B0m\u0085\u2028\u2029\0";
  private static final Pattern NUMBERED = Pattern.compile("in-0 \\d+ [0-9a-f]{8} [a-z]+");
  private static final Pattern FORGING =
      Pattern.compile("[\\x00-\\x08\\x0A-\\x1F\\x7F-\\x9F\\u2028\\u2029]");

  @ParameterizedTest
  @ValueSource(
      strings = {"tiered-untrusted-input.xml", "tiered-json.xml", "tiered-composite-json.xml"})
  void anEventIsOneLineWhateverIsInIt(String name) throws Exception {
    Path example =
        ExamplesIT.examples().stream()
            .filter(path -> path.endsWith(name))
            .findFirst()
            .orElseThrow();
    boolean json = name.contains("json");
    try (Places places = Places.create()) {
      Path log = places.logDirectory().resolve(json ? "app.json" : "app.log");
      String thread = Thread.currentThread().getName();
      try (Tiered tiered =
          Tiered.configured(
              Files.readString(example), Map.of("LOG_DIR", places.logDirectory().toString()))) {
        MDC.put("user", "u" + ATTACK);
        Thread.currentThread().setName("t" + ATTACK);
        for (long number = 0; number < 100; number++) {
          tiered
              .logger()
              .error(
                  new Numbered("in-0", number).text() + ATTACK + "{}",
                  ATTACK,
                  new IllegalStateException("e" + ATTACK));
        }
        TieredAppender appender =
            (TieredAppender)
                tiered.context().getLogger(Logger.ROOT_LOGGER_NAME).getAppender("FILE");
        assertThat(appender.flush(Duration.ofSeconds(30))).isTrue();
        assertThat(tiered.warnings()).isEmpty();
      } finally {
        Thread.currentThread().setName(thread);
        MDC.clear();
        SpoolPeek.forget(Path.of("/dev/shm"), log);
      }

      List<String> lines = Files.readString(log).lines().toList();
      List<String> messages = new ArrayList<>();
      for (String line : lines) {
        // JSON may hold everything from U+007F on as it is; whoever parses it is not misled.
        String judged = json ? line.replaceAll("[\\x7F-\\x9F\\u2028\\u2029]", "") : line;
        assertThat(FORGING.matcher(judged).find()).as(line).isFalse();
        Matcher matcher = NUMBERED.matcher(line);
        assertThat(matcher.find()).as(line).isTrue();
        messages.add(matcher.group());
        assertThat(line).contains("forged", "IllegalStateException");
      }
      new Oracle().producer("in-0", 100, 100).complete(0).requireSound(messages);
    }
  }
}
