package dev.forebay.it.support;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import java.nio.charset.StandardCharsets;

/** An encoder whose files begin and end with a line of their own. */
public final class HeadedEncoder extends PatternLayoutEncoder {

  @Override
  public byte[] headerBytes() {
    return "=== begin\n".getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public byte[] footerBytes() {
    return "=== end\n".getBytes(StandardCharsets.UTF_8);
  }
}
