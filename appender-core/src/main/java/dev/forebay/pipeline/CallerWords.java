package dev.forebay.pipeline;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.pattern.CallerDataConverter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.OutputStreamAppender;
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

  /** Stands for the words of a pattern that cannot be told. */
  private static final String UNKNOWN = "?";

  private CallerWords() {}

  /** The words of an encoder that has been started. Others than Logback's are not known to ask. */
  public static List<String> of(@Nullable Encoder<?> encoder) {
    return of(encoder, false);
  }

  /** Those of an attached appender. */
  public static List<String> of(Appender<?> appender) {
    return appender instanceof OutputStreamAppender<?> stream ? of(stream.getEncoder()) : List.of();
  }

  /** Whether an encoder may ask: all may but Logback's own whose patterns are known not to. */
  static boolean mayBeAskedFor(Encoder<?> encoder) {
    Class<?> type = encoder.getClass();
    return type != JsonEncoder.class
        && (type != PatternLayoutEncoder.class || !of(encoder, true).isEmpty());
  }

  /**
   * @param all whether those of converters that are not Logback's belong to them
   */
  private static List<String> of(@Nullable Encoder<?> encoder, boolean all) {
    List<String> words = new ArrayList<>();
    if (encoder instanceof LayoutWrappingEncoder<?> wrapping
        && wrapping.getLayout() instanceof PatternLayoutBase<?> layout
        && layout.getPattern() != null) {
      try {
        Node first = new Parser<Object>(layout.getPattern()).parse();
        collect(first, layout.getEffectiveConverterMap(), all, words);
      } catch (ScanException | RuntimeException e) { // a pattern or a converter that is refused
        words.clear();
        if (all) {
          words.add(UNKNOWN);
        }
      }
    }
    return words;
  }

  @SuppressWarnings("rawtypes") // as Logback declares them
  private static void collect(
      @Nullable Node first,
      Map<String, Supplier<DynamicConverter>> converters,
      boolean all,
      List<String> words) {
    for (Node node = first; node != null; node = node.getNext()) {
      Supplier<DynamicConverter> known = converters.get(String.valueOf(node.getValue()));
      if (node instanceof CompositeNode composite) {
        collect(composite.getChildNode(), converters, all, words);
      }
      if (node instanceof SimpleKeywordNode && known != null) {
        DynamicConverter<?> converter = known.get(); // null if its class cannot be loaded
        String type = converter == null ? "" : converter.getClass().getName();
        if (converter instanceof CallerDataConverter
            || type.endsWith("OfCallerConverter")
            || (all && !type.startsWith("ch.qos.logback."))) {
          words.add("%" + node.getValue());
        }
      }
    }
  }
}
