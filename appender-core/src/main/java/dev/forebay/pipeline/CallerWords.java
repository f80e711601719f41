package dev.forebay.pipeline;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.CallerDataConverter;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import ch.qos.logback.core.pattern.DynamicConverter;
import ch.qos.logback.core.pattern.PatternLayoutBase;
import ch.qos.logback.core.pattern.parser.CompositeNode;
import ch.qos.logback.core.pattern.parser.Node;
import ch.qos.logback.core.pattern.parser.Parser;
import ch.qos.logback.core.pattern.parser.SimpleKeywordNode;
import ch.qos.logback.core.spi.ScanException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the conversion words of a pattern that ask for the caller of a log call, which only the
 * thread that logs can determine.
 */
public final class CallerWords {

  /** Of classes that are known to read the event only; their objects are looked into. */
  private static final List<String> KNOWN =
      List.of(
          "ch.qos.logback.",
          "net.logstash.logback.",
          "org.springframework.boot.",
          "co.elastic.logging.");

  /** Of classes that are only called by others. */
  private static final List<String> PLAIN =
      List.of(
          "java",
          "jdk.",
          "sun.",
          "org.slf4j.",
          "org.springframework.",
          "tools.jackson.",
          "com.fasterxml.");

  private CallerWords() {}

  /** The words of an encoder that has been started, or its other parts that ask. */
  public static List<String> of(@Nullable Encoder<?> encoder) {
    return encoder == null ? List.of() : orParts(encoder, false);
  }

  /**
   * The words of a pattern whose classes are neither Logback's nor Boot's, and the other parts of
   * an encoder of which the same is true: what they read is not known.
   */
  public static List<String> foreign(Encoder<?> encoder) {
    return orParts(encoder, true);
  }

  /**
   * @param foreign whether those that are not known, instead of those that ask for the caller
   */
  private static List<String> orParts(Encoder<?> encoder, boolean foreign) {
    List<String> words = of(encoder, foreign);
    if (encoder.getClass() == PatternLayoutEncoder.class || !words.isEmpty()) {
      return words;
    }
    EncoderParts parts = EncoderParts.of(encoder);
    return foreign ? parts.foreign() : parts.asking();
  }

  private static List<String> of(Encoder<?> encoder, boolean foreign) {
    List<String> words = new ArrayList<>();
    if (encoder instanceof LayoutWrappingEncoder<?> wrapping
        && wrapping.getLayout() instanceof PatternLayoutBase<?> layout
        && layout.getPattern() != null) {
      try {
        Node first = new Parser<Object>(layout.getPattern()).parse();
        collect(first, layout.getEffectiveConverterMap(), foreign, words);
      } catch (ScanException | RuntimeException e) { // a pattern or a converter that is refused
        words.clear();
      }
    }
    return words;
  }

  @SuppressWarnings("rawtypes") // as Logback declares them
  private static void collect(
      @Nullable Node first,
      Map<String, Supplier<DynamicConverter>> converters,
      boolean foreign,
      List<String> words) {
    for (Node node = first; node != null; node = node.getNext()) {
      Supplier<DynamicConverter> known = converters.get(String.valueOf(node.getValue()));
      if (node instanceof CompositeNode composite) {
        collect(composite.getChildNode(), converters, foreign, words);
      }
      if (node instanceof SimpleKeywordNode && known != null) {
        DynamicConverter<?> converter = known.get(); // null if its class cannot be loaded
        if (converter != null && (foreign ? isForeign(converter) : asks(converter))) {
          words.add("%" + node.getValue());
        }
      }
    }
  }

  static boolean asks(Object part) {
    String type = part.getClass().getName();
    return part instanceof CallerDataConverter
        || type.endsWith("OfCallerConverter")
        || type.endsWith(".CallerDataJsonProvider");
  }

  static boolean isForeign(Object part) {
    return !isKnown(part.getClass()) && !isOf(PLAIN, part.getClass());
  }

  static boolean isKnown(Class<?> type) {
    return isOf(KNOWN, type);
  }

  private static boolean isOf(List<String> packages, Class<?> type) {
    for (String name : packages) {
      if (type.getName().startsWith(name)) {
        return true;
      }
    }
    return false;
  }
}
