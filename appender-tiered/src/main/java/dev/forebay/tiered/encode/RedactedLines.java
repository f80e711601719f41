package dev.forebay.tiered.encode;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import ch.qos.logback.core.encoder.LayoutWrappingEncoder;
import dev.forebay.redact.EventRedactor;
import dev.forebay.redact.Redactor;
import java.nio.charset.Charset;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The lines of another encoder without secrets. */
public final class RedactedLines extends LineEncoder {

  private static final Set<Charset> SEARCHED_AS_THEY_ARE = Set.of(UTF_8, US_ASCII, ISO_8859_1);

  private final Encoder<ILoggingEvent> encoder;
  private final @Nullable LineEncoder lines;
  private final Redactor redactor;
  private final EventRedactor events;

  /** The encoding, if it is known and lines have to be decoded; null otherwise. */
  private final @Nullable Charset decoded;

  private RedactedLines(Encoder<ILoggingEvent> encoder, Redactor redactor) {
    this.encoder = encoder;
    this.lines = LineEncoder.of(encoder);
    this.redactor = redactor;
    this.events = new EventRedactor(redactor);
    this.decoded = decoded(encoder);
  }

  private static @Nullable Charset decoded(Encoder<ILoggingEvent> encoder) {
    if (!(encoder instanceof LayoutWrappingEncoder<?> known)) {
      return null;
    }
    Charset charset = known.getCharset() == null ? Charset.defaultCharset() : known.getCharset();
    return SEARCHED_AS_THEY_ARE.contains(charset) ? null : charset;
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
    byte[] redacted =
        decoded == null
            ? redactor.redact(line.bytes(), line.length(), hasObjects)
            : redactor.redact(line.bytes(), line.length(), hasObjects, decoded);
    if (redacted != null) {
      line.clear();
      line.literal(redacted);
    }
  }
}
