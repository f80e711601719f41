package dev.forebay.tiered.jvm;

import dev.forebay.ConfigFindings;
import org.jspecify.annotations.Nullable;

/** The options as configured, until {@link #validate}. For the configuring thread. */
public final class JvmOptions {

  private static final String DEFAULT_WHAT = "gc*=info,safepoint=info";

  /** As in {@code -Xlog}. */
  public static final String DEFAULT_DECORATORS = "time,uptime,level,tags";

  /** 16 MB. */
  public static final long DEFAULT_MEMORY_BYTES = 16L << 20;

  /** As {@link JvmSettings#what}; null for an output of the command line, or else the default. */
  public @Nullable String what;

  public String decorators = DEFAULT_DECORATORS;

  public long memoryBytes = DEFAULT_MEMORY_BYTES;

  public LineListener listener = LineListener.NONE;

  /** The account of the newest start, which writes it; read by any thread. */
  private volatile JvmAccount account = new JvmAccount();

  public JvmOptions() {}

  public JvmAccount account() {
    return account;
  }

  /** Checks what can be checked without the JVM; if there are errors, do not use the result. */
  public JvmSettings validate(ConfigFindings findings) {
    String selected = oneWord("what", what == null ? DEFAULT_WHAT : what, DEFAULT_WHAT, findings);
    String decorated = oneWord("decorators", decorators, DEFAULT_DECORATORS, findings);
    boolean isMemory =
        memoryBytes >= JvmSettings.MIN_MEMORY_BYTES && memoryBytes <= JvmSettings.MAX_MEMORY_BYTES;
    if (!isMemory) {
      findings.warn(
          "<memory> is %d bytes: must be between %d and %d bytes, since the JVM needs %d files there; the default of 16 MB is used"
              .formatted(
                  memoryBytes,
                  JvmSettings.MIN_MEMORY_BYTES,
                  JvmSettings.MAX_MEMORY_BYTES,
                  JvmSettings.FILE_COUNT + 1));
    }
    account = new JvmAccount();
    long memory = isMemory ? memoryBytes : DEFAULT_MEMORY_BYTES;
    return new JvmSettings(selected, what == null, decorated, memory, account, listener);
  }

  /** The JVM would take a second word for another option. */
  private static String oneWord(
      String element, String text, String example, ConfigFindings findings) {
    String value = text.trim();
    if (!value.matches("[^\\x00- \":]+")) {
      findings.error(
          "<%s> is \"%s\": must be one word, without blanks, quotes and colons, as in -Xlog; write for example %s"
              .formatted(element, value, example));
    }
    return value;
  }
}
