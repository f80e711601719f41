package dev.forebay.benchmarks.lab.child;

import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.ILoggingEvent;
import java.nio.charset.StandardCharsets;

/** Gives each event the same line, as long as {@link ResidenceWord} makess them. */
public final class FreeEncoder extends PatternLayoutEncoder {

  private final byte[] line =
      ("2026-01-02 03:04:05.678 [lab-producer-0] TRACE com.example.shop.Orders 5f3a9c41-0512"
              + " - Order A-1000 took 512 ms\n")
          .getBytes(StandardCharsets.US_ASCII);

  @Override
  public byte[] encode(ILoggingEvent event) {
    return line;
  }
}
