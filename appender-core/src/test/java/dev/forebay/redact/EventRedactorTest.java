package dev.forebay.redact;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.spi.LoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import java.nio.CharBuffer;
import java.nio.charset.StandardCharsets;
import java.util.AbstractMap;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;

/** What is replaced in an event, whatever objects it has. */
@Tag("once")
class EventRedactorTest {

  private static final String SECRET = "bob@example.org";

  private final LoggerContext context = context();
  private final EventRedactor byKey =
      new EventRedactor(new Redactor(new RedactRules(List.of("password"), Set.of(), List.of())));
  private final EventRedactor byPattern =
      new EventRedactor(
          new Redactor(new RedactRules(List.of(), EnumSet.allOf(NamedPattern.class), List.of())));

  private static LoggerContext context() {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    return context;
  }

  private LoggingEvent event(@Nullable Throwable thrown, Object... arguments) {
    LoggingEvent event =
        new LoggingEvent("", context.getLogger("a"), Level.INFO, "a {} b", thrown, arguments);
    event.setThreadName("main");
    return event;
  }

  private LoggingEvent event(KeyValuePair pair) {
    LoggingEvent event = event((Throwable) null);
    event.setMDCPropertyMap(Map.of(SECRET, "x", "b", "y"));
    event.setKeyValuePairs(List.of(pair));
    return event;
  }

  private static Object pair(ILoggingEvent event) {
    return event.getKeyValuePairs().get(0).value;
  }

  private static String shown(Object value) {
    return value instanceof Object[] array ? Arrays.deepToString(array) : value.toString();
  }

  @Test
  void containersOfAnyKindAreSearchedByKey() {
    Map<String, String> map = Map.of("password", "secret");
    for (Object each :
        List.of(
            map,
            List.of(map),
            map.entrySet(),
            Map.entry("password", "secret"),
            new Object[] {map, 1},
            new Map<?, ?>[] {map},
            List.of(new Object[] {List.of(map)}),
            Map.of("password", new String[] {"secret"}))) {
      LoggingEvent event = event(null, each, "x");
      assertThat(byKey.mayHaveKeys(event)).isTrue();
      assertThat(byKey.withoutKeys(event).getFormattedMessage())
          .contains("***")
          .doesNotContain("secret");
      assertThat(event.getFormattedMessage()).as("the original").doesNotContain("***");
      assertThat(shown(pair(byKey.withoutKeys(event(new KeyValuePair("a", each))))))
          .contains("***")
          .doesNotContain("secret");
    }
  }

  @Test
  void containersOfAnyKindAreSearchedByPattern() {
    for (Object each :
        List.of(
            SECRET,
            CharBuffer.wrap(SECRET),
            SECRET.toCharArray(),
            SECRET.getBytes(StandardCharsets.US_ASCII),
            new String[] {SECRET},
            new Object[] {1, new Object[] {SECRET}},
            new long[] {4111111111111111L},
            List.of(4111111111111111L),
            Map.of(SECRET, 1),
            Map.of("a", Map.of(1, SECRET)),
            Map.entry(SECRET, 1))) {
      String redacted = shown(pair(byPattern.whole(event(new KeyValuePair("a", each)))));
      assertThat(redacted).contains("***").doesNotContain(SECRET, "4111");
    }
  }

  @Test
  void namesAreSearchedByPattern() {
    LoggingEvent event = event(new KeyValuePair(SECRET, 1));
    ILoggingEvent redacted = byPattern.whole(event);
    assertThat(redacted.getMDCPropertyMap()).isEqualTo(Map.of("***", "x", "b", "y"));
    assertThat(redacted.getKeyValuePairs().get(0).key).isEqualTo("***");
    assertThat(event.getMDCPropertyMap()).containsKey(SECRET);
  }

  @Test
  void whatHasNoSecretIsTheSameObject() {
    for (Object each :
        List.of(
            "a",
            1,
            Map.of("a", List.of(1, "b")),
            new Object[] {"a", 1},
            new int[] {1},
            "a".toCharArray(),
            Map.entry("a", 1))) {
      assertThat(pair(byPattern.whole(event(new KeyValuePair("a", each))))).isSameAs(each);
      LoggingEvent event = event(null, each);
      assertThat(byKey.withoutKeys(event)).isSameAs(event);
    }
  }

  /** A decision is kept for maps that do not change only. */
  @Test
  void anMdcThatChangesIsSearchedAgain() {
    Map<String, String> map = new HashMap<>(Map.of("a", "b"));
    LoggingEvent event = event((Throwable) null);
    event.setMDCPropertyMap(map);
    assertThat(byKey.mayHaveKeys(event)).isFalse();
    map.put("password", "secret");
    assertThat(byKey.mayHaveKeys(event)).isTrue();
    context.getMDCAdapter().put("a", "b");
    assertThat(byKey.mayHaveKeys(event((Throwable) null))).isFalse();
    assertThat(byKey.mayHaveKeys(event((Throwable) null))).isFalse();
    context.getMDCAdapter().put("password", "secret");
    assertThat(byKey.mayHaveKeys(event((Throwable) null))).isTrue();
    context.getMDCAdapter().remove("password");
    assertThat(byKey.mayHaveKeys(event((Throwable) null))).isFalse();
  }

  /** The flusher looks later than the call that made the text. */
  @Test
  void aMapThatIsClearedAfterTheCallKeepsNoSecretInTheText() {
    Map<String, String> map = new HashMap<>(Map.of("password", "secret"));
    LoggingEvent event = event(null, map);
    event.prepareForDeferredProcessing();
    map.clear();
    assertThat(byKey.withoutKeys(event).getFormattedMessage()).isEqualTo("a {} b");
  }

  /** What cannot be looked into must not be shown. */
  @Test
  void anObjectThatThrowsIsReplaced() {
    Map<String, String> map =
        new AbstractMap<>() {
          @Override
          public Set<Entry<String, String>> entrySet() {
            throw new IllegalStateException();
          }

          @Override
          public String toString() {
            return "secret";
          }
        };
    assertThat(byKey.withoutKeys(event(null, map)).getFormattedMessage()).isEqualTo("a *** b");
    assertThat(pair(byPattern.whole(event(new KeyValuePair("a", map))))).isEqualTo("***");
  }

  @Test
  @SuppressWarnings("OverrideThrowableToString") // others do
  void aThrowableKeepsNoSecretThatOnlyItsToStringHas() {
    Exception thrown =
        new IllegalStateException((String) null) {
          private static final long serialVersionUID = 1;

          @Override
          public String toString() {
            return "shown " + SECRET;
          }
        };
    assertThat(stackTrace(new Exception("b", thrown))).contains("shown ***");
  }

  @Test
  void aThrowableThatIsItsOwnCauseKeepsNoSecret() {
    Exception thrown = new Exception(SECRET);
    thrown.initCause(new Exception("b", thrown));
    assertThat(stackTrace(thrown)).contains("CIRCULAR REFERENCE");
  }

  private String stackTrace(Exception thrown) {
    ILoggingEvent redacted = byPattern.whole(event(thrown));
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%ex%n");
    encoder.start();
    String text = new String(encoder.encode(redacted), StandardCharsets.UTF_8);
    assertThat(text).contains("***").doesNotContain(SECRET);
    return text;
  }
}
