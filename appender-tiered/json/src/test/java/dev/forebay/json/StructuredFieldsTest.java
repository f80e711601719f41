package dev.forebay.json;

import static net.logstash.logback.argument.StructuredArguments.array;
import static net.logstash.logback.argument.StructuredArguments.entries;
import static net.logstash.logback.argument.StructuredArguments.fields;
import static net.logstash.logback.argument.StructuredArguments.kv;
import static net.logstash.logback.argument.StructuredArguments.raw;
import static net.logstash.logback.argument.StructuredArguments.value;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.LoggingEvent;
import java.net.URL;
import java.net.URLClassLoader;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import net.logstash.logback.argument.StructuredArgument;
import net.logstash.logback.argument.StructuredArguments;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.marker.LogstashMarker;
import net.logstash.logback.marker.Markers;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.slf4j.Marker;
import org.slf4j.event.KeyValuePair;

/** Fields of logstash-logback-encoder's markers and arguments are those that it writes. */
class StructuredFieldsTest {

  private final JsonLinesEncoder logstash = Lines.encoder(AnyEvent.CONTEXT, "logstash", e -> {});

  /** A bean of the user's. */
  public record Order(int id, List<String> items, @Nullable String note) {}

  /** One that cannot be written. */
  public static final class Broken {
    public String getText() {
      return Objects.requireNonNull(null, "no text");
    }
  }

  private static LoggingEvent event(List<Marker> markers, @Nullable Object... arguments) {
    LoggingEvent event =
        new LoggingEvent(
            "", AnyEvent.CONTEXT.getLogger("a"), Level.INFO, "{} {} {}", null, arguments);
    event.setMDCPropertyMap(Map.of());
    event.setInstant(Instant.EPOCH);
    markers.forEach(event::addMarker);
    return event;
  }

  private void isSame(LoggingEvent event) {
    LogstashEncoder others = new LogstashEncoder();
    others.setContext(AnyEvent.CONTEXT);
    others.start();
    assertThat(Lines.fields(logstash, event)).isEqualTo(Lines.fieldsOf(others, event));
  }

  @Test
  void argumentsAreThoseOfTheLibrary() {
    isSame(event(List.of(), kv("id", 12), value("price", 1.10), "plain"));
    isSame(event(List.of(), kv("none", null), kv("order", new Order(1, List.of("a\n"), null))));
    isSame(event(List.of(), array("list", 1, "b", null), entries(Map.of("x", 1, "y", List.of(2)))));
    isSame(
        event(
            List.of(), raw("raw", "{\"a\":[1.0,true,null]}"), fields(new Order(2, List.of(), ""))));
    isSame(event(List.of(), kv("optional", Optional.of(1)), kv("time", Instant.EPOCH)));
    isSame(event(List.of(), kv("long", Long.MAX_VALUE), kv("nan", Double.NaN), kv("f", 0.1f)));
    isSame(event(List.of(), StructuredArguments.defer(() -> kv("later", Duration.ofMillis(5)))));
    isSame(event(List.of(), (Object[]) new String[] {"plain", null}));
  }

  @Test
  void markersAreThoseOfTheLibrary() {
    isSame(event(List.of(Markers.append("id", 12))));
    isSame(event(List.of(Markers.append("a", 1).and(Markers.appendArray("b", 2, 3)))));
    isSame(
        event(
            List.of(
                AnyEvent.marker("TAG"), Markers.appendEntries(new TreeMap<>(Map.of("c", "d"))))));
    isSame(event(List.of(Markers.appendRaw("raw", "[1,{}]").and(AnyEvent.marker("TAG")))));
    isSame(event(List.of(Markers.appendFields(new Order(1, List.of(), "n")), Markers.empty())));
    isSame(event(List.of(Markers.aggregate(Markers.append("a", 1), AnyEvent.marker("TAG")))));
    isSame(
        event(
            List.of(Markers.defer(() -> Markers.append("later", 1)), Markers.append("x", "y")),
            kv("z", 1)));
  }

  @Test
  void ofOneNameTheLastIsWrittenOnce() {
    LoggingEvent event =
        event(
            List.of(Markers.append("k", "marker"), Markers.append("m", 1)),
            kv("k", "argument"),
            kv("message", 1));
    event.setKeyValuePairs(List.of(new KeyValuePair("k", "pair"), new KeyValuePair("m", 2)));
    assertThat(Lines.fields(logstash, event))
        .containsEntry("k", "argument")
        .containsEntry("m", 1)
        .containsEntry("message", "k=argument message=1 {}");
  }

  @ParameterizedTest
  @ValueSource(strings = {"ecs", "gelf"})
  void otherFormatsWriteThemAsPairs(String format) {
    JsonLinesEncoder encoder = Lines.encoder(AnyEvent.CONTEXT, format, e -> {});
    String prefix = format.equals("gelf") ? "_" : "";
    assertThat(Lines.fields(encoder, event(List.of(Markers.append("m", 1)), kv("k", List.of("v")))))
        .containsEntry(prefix + "m", 1)
        .containsEntry(prefix + "k", List.of("v"))
        .doesNotContainKey("tags");
  }

  @Test
  void whatCannotBeWrittenLeavesTheLine() {
    StructuredArgument broken =
        generator -> {
          generator.writeName("half");
          throw new UnsupportedOperationException();
        };
    Marker failing =
        new LogstashMarker("own") {
          @Override
          public void writeTo(tools.jackson.core.JsonGenerator generator) {
            throw new StackOverflowError();
          }
        };
    Map<String, Object> fields =
        Lines.fields(
            logstash,
            event(
                List.of(failing, AnyEvent.marker("TAG"), Markers.append("good", 1)),
                broken,
                kv("bean", new Broken()),
                raw("raw", "{")));
    assertThat(fields)
        .containsEntry("good", 1)
        .containsEntry("tags", List.of("TAG"))
        .doesNotContainKeys("half", "bean", "raw");
    assertThat(fields.values().stream().map(String::valueOf))
        .anyMatch(text -> text.matches("\\[fields of .* failed: .*UnsupportedOperationException]"))
        .anyMatch(text -> text.matches("\\[fields of .* failed: .*StackOverflowError]"));
  }

  @Test
  void aMarkerThatDoesNotSayItsReferencesLeavesTheLine() {
    Marker failing =
        new LogstashMarker("own") {
          @Override
          public void writeTo(tools.jackson.core.JsonGenerator generator) {}

          @Override
          public Iterator<Marker> iterator() {
            throw new AssertionError();
          }
        };
    assertThat(Lines.fields(logstash, event(List.of(failing), kv("k", 1)))).containsEntry("k", 1);
  }

  @Test
  void markersInACircleEnd() {
    LogstashMarker one = Markers.append("one", 1);
    Marker circle = new Circle("CIRCLE", 3);
    one.add(circle);
    assertThat(Lines.fields(logstash, event(List.of(one)))).containsEntry("one", 1);
  }

  @Test
  void withoutTheLibraryNothingOfItIsSought() throws Exception {
    try (URLClassLoader empty =
        new URLClassLoader(new URL[0], ClassLoader.getPlatformClassLoader())) {
      assertThat(StructuredFields.find(empty)).isNull();
    }
    assertThat(Arrays.asList(StructuredFields.class.getDeclaredFields()))
        .noneMatch(field -> field.getType().getName().contains("logstash"));
  }
}
