package dev.forebay.tiered.encode;

import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.pattern.Converter;
import org.jspecify.annotations.Nullable;

/** Remembers how names of loggers or threads are written. For one thread at a time. */
final class NameText {

  /** Slots; a name has one, which it takes from another. */
  private static final int SLOTS = 256;

  /** No longer name is remembered. */
  private static final int MAX_CHARS = 256;

  private static final int SPREAD = 8;

  private final Converter<ILoggingEvent> converter;
  private final @Nullable String[] names = new String[SLOTS];
  private final byte[][] texts = new byte[SLOTS][];

  NameText(Converter<ILoggingEvent> converter) {
    this.converter = converter;
  }

  /** Appends the name of an event, which the converter would. */
  void put(TextBuffer text, @Nullable String name, ILoggingEvent event, StringBuilder scratch) {
    if (name != null) {
      int hash = name.hashCode();
      int slot = (hash ^ hash >>> SPREAD) & SLOTS - 1;
      String known = names[slot];
      if (name.equals(known)) {
        text.literal(texts[slot]);
        return;
      }
      int from = text.length();
      boolean isWhole = convert(text, event, scratch);
      if (isWhole && name.length() <= MAX_CHARS) {
        names[slot] = null; // until both are there: there may be no memory for the other
        texts[slot] = text.toBytes(from);
        names[slot] = name;
      }
    } else {
      boolean unused = convert(text, event, scratch);
    }
  }

  private boolean convert(TextBuffer text, ILoggingEvent event, StringBuilder scratch) {
    scratch.setLength(0);
    converter.write(scratch, event);
    text.text(scratch);
    return TextBuffer.isWhole(scratch);
  }
}
