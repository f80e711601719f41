package dev.forebay.json;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.status.Status;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Consumer;
import tools.jackson.core.StreamReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** Lines as a reader parses them. */
final class Lines {

  private static final TypeReference<TreeMap<String, Object>> FIELDS = new TypeReference<>() {};

  private static final JsonMapper STRICT =
      JsonMapper.builder()
          .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
          .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
          .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
          .build();

  private Lines() {}

  static JsonLinesEncoder encoder(
      LoggerContext context, String format, Consumer<JsonLinesEncoder> properties) {
    JsonLinesEncoder encoder = new JsonLinesEncoder();
    encoder.setContext(context);
    encoder.setFormat(format);
    properties.accept(encoder);
    encoder.start();
    return encoder;
  }

  /** The fields of one valid line, each there once. */
  static Map<String, Object> fields(JsonLinesEncoder encoder, ILoggingEvent event) {
    String line = text(encoder.encode(event));
    assertThat(line).endsWith("}\n");
    assertThat(line.substring(0, line.length() - 1).chars())
        .noneMatch(c -> Character.isISOControl(c) || c == 0x2028 || c == 0x2029);
    return parsed(line);
  }

  static Map<String, Object> parsed(String line) {
    return STRICT.readValue(line, FIELDS);
  }

  static Map<String, Object> fieldsOf(Encoder<ILoggingEvent> other, ILoggingEvent event) {
    return parsed(text(other.encode(event)));
  }

  private static String text(byte[] line) {
    try {
      return UTF_8.newDecoder().decode(ByteBuffer.wrap(line)).toString();
    } catch (CharacterCodingException e) {
      throw new AssertionError(e);
    }
  }

  /** Objects in objects as names with dots. */
  static Map<String, Object> flat(Map<String, Object> fields) {
    Map<String, Object> flat = new TreeMap<>();
    fields.forEach(
        (name, value) -> {
          if (value instanceof Map<?, ?> inner && !inner.isEmpty()) {
            Map<String, Object> named = new TreeMap<>();
            inner.forEach((key, of) -> named.put(name + "." + key, of));
            flat.putAll(flat(named));
          } else {
            flat.put(name, value);
          }
        });
    return flat;
  }

  static List<String> problems(LoggerContext context) {
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(
            status ->
                (status.getLevel() == Status.ERROR ? "ERROR " : "WARN ") + status.getMessage())
        .toList();
  }
}
