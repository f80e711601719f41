package dev.forebay;

import ch.qos.logback.classic.pattern.CallerDataConverter;
import ch.qos.logback.classic.pattern.ClassOfCallerConverter;
import ch.qos.logback.classic.pattern.FileOfCallerConverter;
import ch.qos.logback.classic.pattern.LineOfCallerConverter;
import ch.qos.logback.classic.pattern.MethodOfCallerConverter;
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
import ch.qos.logback.core.spi.AppenderAttachable;
import ch.qos.logback.core.spi.ScanException;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Finds the conversion words of a pattern that ask for the caller of a log call, at the start, when
 * Logback still prints warnings. Other encoders and layouts are not known to ask.
 */
public final class CallerPattern {

  private static final int MAX_DEPTH = 16;

  private CallerPattern() {}

  /**
   * Adds one warning if a pattern asks for callers and log calls do not determine them.
   *
   * @param encoder started; null if there is none
   */
  public static void look(
      PipelineOptions options, @Nullable Encoder<?> encoder, ConfigFindings findings) {
    warn(options, wordsOf(encoder), findings);
  }

  /** The same for an attached appender and those attached to it. */
  static void look(PipelineOptions options, Appender<?> attached, ConfigFindings findings) {
    warn(options, wordsOf(attached, 0), findings);
  }

  private static void warn(PipelineOptions options, List<String> words, ConfigFindings findings) {
    if (!options.includeCallerData && !words.isEmpty()) {
      findings.warn(
          "the pattern has %s, which will be question marks: set <includeCallerData> to true, at about 8 µs a log call, or remove it"
              .formatted(String.join(", ", words)));
    }
  }

  private static List<String> wordsOf(Appender<?> appender, int depth) {
    List<String> words = new ArrayList<>();
    if (appender instanceof OutputStreamAppender<?> stream) {
      words.addAll(wordsOf(stream.getEncoder()));
    }
    if (appender instanceof AppenderAttachable<?> attachable && depth < MAX_DEPTH) {
      for (Iterator<? extends Appender<?>> all = attachable.iteratorForAppenders();
          all.hasNext(); ) {
        words.addAll(wordsOf(all.next(), depth + 1));
      }
    }
    return words;
  }

  private static List<String> wordsOf(@Nullable Encoder<?> encoder) {
    List<String> words = new ArrayList<>();
    if (encoder instanceof LayoutWrappingEncoder<?> wrapping
        && wrapping.getLayout() instanceof PatternLayoutBase<?> layout
        && layout.getPattern() != null) {
      try {
        Node first = new Parser<Object>(layout.getPattern()).parse();
        collect(first, layout.getEffectiveConverterMap(), words);
      } catch (ScanException | RuntimeException e) { // a pattern that Logback has refused
        words.clear();
      }
    }
    return words;
  }

  @SuppressWarnings("rawtypes") // as Logback declares them
  private static void collect(
      @Nullable Node first,
      Map<String, Supplier<DynamicConverter>> converters,
      List<String> words) {
    for (Node node = first; node != null; node = node.getNext()) {
      if (node instanceof CompositeNode composite) {
        collect(composite.getChildNode(), converters, words);
      } else if (node instanceof SimpleKeywordNode
          && node.getValue() instanceof String word
          && converters.get(word) != null
          && asks(converters.get(word).get())) {
        words.add("%" + word);
      }
    }
  }

  private static boolean asks(DynamicConverter<?> converter) {
    return converter instanceof ClassOfCallerConverter
        || converter instanceof MethodOfCallerConverter
        || converter instanceof LineOfCallerConverter
        || converter instanceof FileOfCallerConverter
        || converter instanceof CallerDataConverter;
  }
}
