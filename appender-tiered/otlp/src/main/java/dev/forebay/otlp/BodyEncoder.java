package dev.forebay.otlp;

import static java.nio.charset.StandardCharsets.UTF_8;

import ch.qos.logback.classic.spi.ILoggingEvent;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.TextBuffer;

/** The formatted message as a line: all that a record's fields do not say otherwise. */
final class BodyEncoder extends LineEncoder {

  @Override
  public TextBuffer newLine() {
    return new TextBuffer(UTF_8);
  }

  @Override
  protected void write(ILoggingEvent event, TextBuffer line) {
    String message = event.getFormattedMessage();
    if (message != null) {
      line.text(message);
    }
    line.ascii('\n'); // an event without a message is one, too; it is cut off again
  }
}
