package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.redact.EventRedactor;
import dev.forebay.redact.Redactor;
import org.jspecify.annotations.Nullable;

/** The lines of another encoder without secrets. */
public final class RedactedLines extends LineEncoder {

  private final Encoder<ILoggingEvent> encoder;
  private final @Nullable LineEncoder lines;
  private final Redactor redactor;
  private final EventRedactor events;

  private RedactedLines(Encoder<ILoggingEvent> encoder, Redactor redactor) {
    this.encoder = encoder;
    this.lines = LineEncoder.of(encoder);
    this.redactor = redactor;
    this.events = new EventRedactor(redactor);
  }

  public static Encoder<ILoggingEvent> of(Encoder<ILoggingEvent> encoder, Redactor redactor) {
    return new RedactedLines(encoder, redactor);
  }

  @Override
  public boolean isCurrent() {
    return lines != null && lines.isCurrent();
  }

  @Override
  public TextBuffer newLine() {
    return lines == null ? new TextBuffer(UTF_8) : lines.newLine();
  }

  @Override
  protected void write(ILoggingEvent event, TextBuffer line) {
    boolean mayHaveKeys = events.mayHaveKeys(event);
    ILoggingEvent seen = mayHaveKeys ? events.withoutKeys(event) : event;
    if (lines != null) {
      lines.write(seen, line);
    } else {
      byte[] bytes = encoder.encode(seen);
      line.literal(bytes == null ? new byte[0] : bytes);
    }
    boolean hasObjects = mayHaveKeys && events.hasObjects(event);
    byte[] redacted = redactor.redact(line.bytes(), line.length(), hasObjects);
    if (redacted != null) {
      line.clear();
      line.literal(redacted);
    }
  }
}
