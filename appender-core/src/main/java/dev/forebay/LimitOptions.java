package dev.forebay;

import dev.forebay.observe.Levels;
import dev.forebay.pipeline.LimitSettings;
import org.jspecify.annotations.Nullable;

/**
 * The element {@code <limit>} of an appender: how many events a second it takes of a logger and all
 * below it. Those beyond are refused before their message is formatted, and counted as {@code
 * LIMITED}. Of several limits the one with the longest name applies, and none to reports of drops,
 * of the logger {@code dev.forebay}. For the configuring thread.
 */
public final class LimitOptions {

  static final int MAX_PER_SECOND = 1_000_000;
  static final int MAX_BURST = 1_000_000_000;

  private String logger = "";
  private @Nullable Integer perSecond;
  private @Nullable Integer burst;
  private @Nullable Integer duplicates;
  private String exempt = "ERROR";

  /** Without {@code perSecond} and {@code duplicates}, one of which is required. */
  public LimitOptions() {}

  /** Name of the logger; default: the root, so all loggers. They share what the limit lets pass. */
  public void setLogger(String name) {
    logger = name;
  }

  /** Events a second in the long run, 1 to 1,000,000. Default: any number. */
  public void setPerSecond(int events) {
    perSecond = events;
  }

  /** Events at once after a quiet time, 1 to 1,000,000,000; default: those of a second. */
  public void setBurst(int events) {
    burst = events;
  }

  /**
   * Events with the same message template, before its arguments are filled in, that one logger may
   * log within a second, 1 to 1,000,000. Default: any number.
   */
  public void setDuplicates(int events) {
    duplicates = events;
  }

  /** Events of this level and above always pass; DEBUG to ERROR or OFF, default ERROR. */
  public void setExempt(String level) {
    exempt = level;
  }

  /** Checks the options; if there are errors, the result must not be used. */
  LimitSettings validate(ConfigFindings findings) {
    String name = logger.trim().equalsIgnoreCase("ROOT") ? "" : logger.trim();
    String limit = name.isEmpty() ? "<limit>: " : "<limit> of logger \"" + name + "\": ";
    if (perSecond == null && duplicates == null) {
      findings.error(
          limit
              + "no <perSecond>: write elements, since Logback ignores attributes, such as <limit><logger>com.acme</logger><perSecond>100</perSecond></limit>");
    } else if (perSecond == null && burst != null) {
      findings.error(limit + "<burst> without <perSecond>: write both");
    }
    int rate = checked(limit, "perSecond", perSecond, 0, MAX_PER_SECOND, findings);
    int most = checked(limit, "burst", burst, Math.max(1, rate), MAX_BURST, findings);
    int same = checked(limit, "duplicates", duplicates, 0, MAX_PER_SECOND, findings);
    int exemptFrom = exempt.trim().equalsIgnoreCase("OFF") ? Levels.COUNT : Levels.indexOf(exempt);
    if (exemptFrom <= 0) {
      findings.error(
          "%s<exempt> is \"%s\": must be DEBUG, INFO, WARN, ERROR or OFF".formatted(limit, exempt));
    }
    return new LimitSettings(name, rate, most, same, exemptFrom);
  }

  private static int checked(
      String limit,
      String element,
      @Nullable Integer value,
      int instead,
      int max,
      ConfigFindings findings) {
    if (value != null && (value < 1 || value > max)) {
      findings.error(
          "%s<%s> is %d: must be between 1 and %d".formatted(limit, element, value, max));
    }
    return value == null ? instead : value;
  }
}
