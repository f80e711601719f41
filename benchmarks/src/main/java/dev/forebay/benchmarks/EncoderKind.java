package dev.forebay.benchmarks;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.json.JsonLinesEncoder;
import dev.forebay.tiered.encode.CompiledPattern;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import net.logstash.logback.composite.loggingevent.LogLevelJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggerNameJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventFormattedTimestampJsonProvider;
import net.logstash.logback.composite.loggingevent.LoggingEventThreadNameJsonProvider;
import net.logstash.logback.composite.loggingevent.MdcJsonProvider;
import net.logstash.logback.composite.loggingevent.MessageJsonProvider;
import net.logstash.logback.encoder.LoggingEventCompositeJsonEncoder;
import net.logstash.logback.encoder.LogstashEncoder;

/** What turns events into bytes. */
public enum EncoderKind {
  /** Always the same 100 bytes: the cost of all that is not the encoder. */
  CONSTANT {
    @Override
    Encoder<ILoggingEvent> make() {
      return new ConstantEncoder();
    }
  },

  /** The pattern of the latency lab. */
  PATTERN {
    @Override
    Encoder<ILoggingEvent> make() {
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setPattern("%d{yyyy-MM-dd HH:mm:ss.SSS} [%t] %p %c %X{requestId} - %m%n");
      return encoder;
    }
  },

  /** What log calls and the flusher use in place of {@link #PATTERN}. */
  COMPILED {
    @Override
    Encoder<ILoggingEvent> make() {
      return PATTERN.make();
    }

    @Override
    public Encoder<ILoggingEvent> start(LoggerContext context) {
      return Objects.requireNonNull(CompiledPattern.of(super.start(context)), "not compiled");
    }
  },

  /** JSON with all defaults. */
  LOGSTASH {
    @Override
    Encoder<ILoggingEvent> make() {
      return new LogstashEncoder();
    }
  },

  /** The same fields, by our own encoder. */
  JSON_LINES {
    @Override
    Encoder<ILoggingEvent> make() {
      return new JsonLinesEncoder();
    }
  },

  /** JSON with the fields of {@link #PATTERN} only. */
  COMPOSITE {
    @Override
    Encoder<ILoggingEvent> make() {
      LoggingEventCompositeJsonEncoder encoder = new LoggingEventCompositeJsonEncoder();
      encoder.getProviders().addProvider(new LoggingEventFormattedTimestampJsonProvider());
      encoder.getProviders().addProvider(new LoggingEventThreadNameJsonProvider());
      encoder.getProviders().addProvider(new LogLevelJsonProvider());
      encoder.getProviders().addProvider(new LoggerNameJsonProvider());
      encoder.getProviders().addProvider(new MdcJsonProvider());
      encoder.getProviders().addProvider(new MessageJsonProvider());
      return encoder;
    }
  };

  abstract Encoder<ILoggingEvent> make();

  /** A started encoder of this kind. */
  public Encoder<ILoggingEvent> start(LoggerContext context) {
    Encoder<ILoggingEvent> encoder = make();
    encoder.setContext(context);
    encoder.start();
    if (!encoder.isStarted()) {
      throw new IllegalStateException(
          this + " did not start: " + context.getStatusManager().getCopyOfStatusList());
    }
    return encoder;
  }

  private static final class ConstantEncoder extends EncoderBase<ILoggingEvent> {

    private static final byte[] NOTHING = {};
    private final byte[] line = ("x".repeat(99) + "\n").getBytes(StandardCharsets.US_ASCII);

    @Override
    public byte[] headerBytes() {
      return NOTHING;
    }

    @Override
    public byte[] encode(ILoggingEvent event) {
      return line;
    }

    @Override
    public byte[] footerBytes() {
      return NOTHING;
    }
  }
}
