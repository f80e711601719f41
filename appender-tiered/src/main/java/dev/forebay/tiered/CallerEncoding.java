package dev.forebay.tiered;

import ch.qos.logback.classic.encoder.JsonEncoder;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.ConfigFindings;
import dev.forebay.pipeline.CallerWords;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Which log calls encode their own events. */
enum CallerEncoding {
  NEVER,

  /** No log call, but they wait for the flusher's thread when the ring is full. */
  NEVER_BUT_WAIT,

  /** Log calls under pressure, and durable ones. */
  IF_NEEDED,

  ALWAYS;

  static final String BOOT = "org.springframework.boot.logging.logback.";

  private static final List<String> LIBRARIES =
      List.of(
          "net.logstash.logback.encoder.",
          BOOT,
          "co.elastic.logging.logback.",
          "dev.forebay.json.",
          "dev.forebay.otlp.");

  /**
   * The configured value, or else the one that fits the encoder. The known encoders can be used by
   * many threads at once, as under Logback's file appenders, wait for nothing and read nothing but
   * the event. This is not assumed of classes derived from them or parts added to them.
   *
   * @param foreign its parts that may read more than the event
   * @param configured what the user says of it; null if nothing
   */
  static CallerEncoding of(
      Encoder<?> encoder,
      List<String> foreign,
      @Nullable String configured,
      boolean isDurable,
      ConfigFindings findings) {
    String value = configured == null ? "" : configured.trim().toLowerCase(Locale.ROOT);
    if (!List.of("", "true", "false", "always").contains(value)) {
      findings.error(
          "<callerEncoding> is \"%s\": must be true, false or always".formatted(configured));
    }
    boolean isStateful = isStateful(encoder);
    if (isStateful && value.equals("always")) {
      findings.warn(
          "<callerEncoding> always has no meaning here: the encoder %s says that it is stateful, so no log call may call it"
              .formatted(encoder.getClass().getName()));
    }
    if (isStateful || value.equals("false")) {
      return NEVER;
    }
    if (value.isEmpty()) {
      return fitting(encoder, foreign, isDurable, findings);
    }
    return value.equals("always") ? ALWAYS : IF_NEEDED;
  }

  private static CallerEncoding fitting(
      Encoder<?> encoder, List<String> foreign, boolean isDurable, ConfigFindings findings) {
    Class<?> type = encoder.getClass();
    boolean isKnown =
        type == PatternLayoutEncoder.class || type == JsonEncoder.class || isOfLibrary(type);
    findings.checkForeign(
        foreign,
        "or set <callerEncoding> to always; if it reads the event only, to true, or to false if it does not bear several threads");
    if (foreign.isEmpty() && isDurable && !isKnown) {
      findings.warn(
          "<durability>: each such log call waits for the flusher's thread, since the encoder %s is not one that log calls may call; <callerEncoding>true</callerEncoding> if it bears several threads and does not block, false if it is to stay so"
              .formatted(type.getName()));
    }
    if (!isKnown) {
      return NEVER;
    }
    return foreign.isEmpty() ? IF_NEEDED : NEVER_BUT_WAIT;
  }

  static boolean isOfLibrary(Class<?> encoder) {
    return CallerWords.isOf(LIBRARIES, encoder);
  }

  /** As {@code Encoder.isStateful()} of Logback 1.6 says; earlier encoders cannot say it. */
  private static boolean isStateful(Encoder<?> encoder) {
    return Boolean.TRUE.equals(answer(Encoder.class, "isStateful", encoder, false));
  }

  /** Calls a method that may be missing in a library's version; returns the last argument then. */
  static @Nullable Object answer(Class<?> type, String getter, Object of, Object otherwise) {
    try {
      return type.getMethod(getter).invoke(of);
    } catch (ReflectiveOperationException | RuntimeException e) {
      return otherwise;
    }
  }
}
