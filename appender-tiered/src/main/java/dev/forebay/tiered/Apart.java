package dev.forebay.tiered;

import dev.forebay.ConfigFindings;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.apart.Description;
import dev.forebay.tiered.apart.LogDescriptions;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Target;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/**
 * That another process ships the log of a start.
 *
 * @param patienceNs how long records wait for that process before this one ships; {@code
 *     Long.MAX_VALUE}: for ever
 * @param description what it needs to know of the log
 */
record Apart(long patienceNs, Description description) {

  private static final String NEVER = "never";
  private static final long DEFAULT_PATIENCE_MS = 10_000;
  private static final long MAX_PATIENCE_MS = 3_600_000;
  private static final long NS_PER_MS = 1_000_000;

  /** Checks the options and describes the log; null if it finds an error. Accesses no file. */
  static @Nullable Apart of(
      TieredOptions options,
      TieredSettings settings,
      LogbackParts parts,
      Voice voice,
      ConfigFindings findings) {
    refuse(settings.overflow() != null, "<overflowDirectory>", findings);
    refuse(settings.flight() != null, "<flightRecorder>", findings);
    refuse(
        !parts.appender.isAppend() && parts.rollingPolicy == null,
        "<append>false</append>",
        findings);
    long patienceNs = patienceNs(options.shippingFallback, findings);
    if (findings.hasErrors()) {
      return null;
    }
    Target target = settings.target();
    byte[] lineEnd = LogbackParts.lineEnd(parts.appender.getEncoder(), parts.words.foreign());
    Description described =
        target == null
            ? LogDescriptions.of(
                settings.logName(),
                files(settings, parts, lineEnd, voice),
                settings.fsync(),
                findings::error)
            : LogDescriptions.of(
                settings.logName(),
                target,
                parts.header(),
                parts.footer(),
                lineEnd,
                settings.fsync(),
                findings::error);
    return described == null ? null : new Apart(patienceNs, described);
  }

  private static LogSettings files(
      TieredSettings settings, LogbackParts parts, byte[] lineEnd, Voice voice) {
    return new LogSettings(
        NioDisk.current(),
        parts.file(),
        parts.appender.isAppend(),
        parts.rollingPolicy,
        parts.triggeringPolicy,
        ByteBuffer.wrap(parts.header()),
        ByteBuffer.wrap(parts.footer()),
        ByteBuffer.wrap(lineEnd),
        settings.filePermissions(),
        voice,
        new ShippingListener() {});
  }

  private static void refuse(boolean isThere, String what, ConfigFindings findings) {
    if (isThere) {
      findings.error(
          "<shipping>apart</shipping> and %s exclude each other: write <shipping>inside</shipping>"
              .formatted(what));
    }
  }

  private static long patienceNs(@Nullable String text, ConfigFindings findings) {
    if (text != null && text.trim().equalsIgnoreCase(NEVER)) {
      return Long.MAX_VALUE;
    }
    long ms = findings.timeMs("shippingFallback", text, DEFAULT_PATIENCE_MS);
    findings.requireRange("shippingFallback", ms, 1, MAX_PATIENCE_MS, " ms");
    return ms * NS_PER_MS;
  }
}
