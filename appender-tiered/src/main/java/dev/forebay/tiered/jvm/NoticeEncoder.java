package dev.forebay.tiered.jvm;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.EncoderBase;
import dev.forebay.tiered.spool.Gap;
import org.jspecify.annotations.Nullable;

/** Encodes the lines that we add to the JVM's: where some are missing. */
public final class NoticeEncoder extends EncoderBase<ILoggingEvent> {

  /** Without header and footer. */
  public NoticeEncoder() {}

  @Override
  public byte[] encode(ILoggingEvent event) {
    return Gap.notice(String.valueOf(event.getFormattedMessage()).replace('\n', ' '));
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
