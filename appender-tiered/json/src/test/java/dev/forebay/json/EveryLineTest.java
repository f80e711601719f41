package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.Serial;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;

/** Whatever an event is: one line, valid UTF-8, valid JSON, each name once. */
class EveryLineTest {

  private static final List<JsonLinesEncoder> ENCODERS =
      Stream.of("logstash", "ecs", "gelf", "otlp")
          .map(
              format ->
                  Lines.encoder(
                      AnyEvent.CONTEXT,
                      format,
                      encoder -> {
                        encoder.addField("message=static");
                        encoder.addField("mine=\uD800 static");
                        encoder.addField("_mine=again");
                        encoder.setServiceName("shop\n");
                        encoder.setHost("host");
                        encoder.setMaxStackTraceLength(300);
                      }))
          .toList();

  /** Of the formats, of static fields, and others. */
  private static Arbitrary<String> keys() {
    return Arbitraries.oneOf(
        Arbitraries.of(
            "message",
            "level",
            "_level",
            "tags",
            "stack_trace",
            "@timestamp",
            "log.level",
            "log",
            "error.type",
            "_error_type",
            "error_type",
            "_level_name",
            "level_name",
            "mine",
            "_mine",
            "__mine",
            "_",
            "",
            "id",
            "_id",
            "host",
            "service.name",
            "key",
            "\uDC00"),
        Arbitraries.strings().ofMaxLength(5));
  }

  @Provide
  Arbitrary<AnyEvent> events() {
    Arbitrary<Object> any =
        Arbitraries.oneOf(
            AnyEvent.nested(),
            Arbitraries.strings().all().ofMaxLength(9).map(Object.class::cast),
            Arbitraries.of(
                new int[] {1},
                new byte[] {1},
                new char[] {'\uD800'},
                List.of("\n", new Odd("01")),
                Map.of("\uD800", 1, 1, 2, "1", 3, new Odd(null), List.of()),
                new Odd("NaN"),
                new Odd("01"),
                new Odd(null)));
    return AnyEvent.events(keys(), keys(), any);
  }

  /** A number with any text. */
  private static final class Odd extends Number {

    @Serial private static final long serialVersionUID = 1;

    private final String text;

    @SuppressWarnings("NullAway") // as others may do it
    Odd(String text) {
      this.text = text;
    }

    @Override
    public int intValue() {
      return 0;
    }

    @Override
    public long longValue() {
      return 0;
    }

    @Override
    public float floatValue() {
      return 0;
    }

    @Override
    public double doubleValue() {
      return 0;
    }

    @Override
    public String toString() {
      return text;
    }
  }

  @Property
  void isValid(@ForAll("events") AnyEvent any, @ForAll String message) {
    any.message = message;
    for (JsonLinesEncoder encoder : ENCODERS) {
      assertThat(Lines.fields(encoder, any.event())).isNotEmpty();
    }
  }
}
