package dev.forebay.json;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.tiered.encode.LineEncoder;
import java.util.function.Consumer;
import net.logstash.logback.composite.loggingevent.SequenceJsonProvider;
import net.logstash.logback.composite.loggingevent.mdc.LongMdcEntryWriter;
import net.logstash.logback.encoder.LogstashEncoder;
import net.logstash.logback.mask.MaskingJsonGeneratorDecorator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Encoders of JSON with a part that writes what no sample shows. */
class NotCompiledJsonTest {

  private final LoggerContext context = new LoggerContext();

  private <E extends Encoder<ILoggingEvent>> E start(E encoder, Consumer<E> properties) {
    encoder.setContext(context);
    properties.accept(encoder);
    encoder.start();
    return encoder;
  }

  @ParameterizedTest
  @ValueSource(
      strings = {"mask", "number", "sequence", "split", "caller", "shorten", "prefix", "suffix"})
  void whatSamplesCannotShowIsNotCompiled(String what) {
    Encoder<ILoggingEvent> encoder =
        start(
            new LogstashEncoder(),
            of -> {
              switch (what) {
                case "mask" -> {
                  MaskingJsonGeneratorDecorator masks = new MaskingJsonGeneratorDecorator();
                  masks.addValue("\\d{16}");
                  masks.start();
                  of.addDecorator(masks);
                }
                case "number" -> of.addMdcEntryWriter(new LongMdcEntryWriter());
                case "sequence" -> of.addProvider(new SequenceJsonProvider());
                case "split" -> of.setMessageSplitRegex("#+");
                case "shorten" -> of.setShortenedLoggerNameLength(60);
                case "prefix" -> of.setPrefix(pattern("[%.20thread] "));
                case "suffix" -> of.setSuffix(pattern("%property{late}%n"));
                default -> of.setIncludeCallerData(true);
              }
            });
    assertThat(LineEncoder.of(encoder)).isNull();
    assertThat(LineEncoder.obstacle(encoder)).startsWith("part ");
  }

  private Encoder<ILoggingEvent> pattern(String pattern) {
    return start(new PatternLayoutEncoder(), encoder -> encoder.setPattern(pattern));
  }
}
