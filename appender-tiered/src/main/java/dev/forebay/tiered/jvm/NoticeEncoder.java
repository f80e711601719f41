package dev.forebay.tiered.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Encodes the lines that we add to the JVM's: where some are missing. */
public final class NoticeEncoder extends EncoderBase<ILoggingEvent> {

  /** How such a line begins; no line of the JVM does. */
  static final String MARK = "[forebay] ";

  /** Without header and footer. */
  public NoticeEncoder() {}

  static byte[] line(String text) {
    return (MARK + text + "\n").getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] encode(ILoggingEvent event) {
    return line(String.valueOf(event.getFormattedMessage()).replace('\n', ' '));
  }

  @Override
  public byte @Nullable [] headerBytes() {
    return null;
  }

  @Override
  public byte @Nullable [] footerBytes() {
    return null;
  }
}
