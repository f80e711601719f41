package dev.forebay.javaagent.log;

import dev.forebay.ConfigFindings;
import dev.forebay.tiered.jvm.JvmOpening;
import dev.forebay.tiered.jvm.JvmOptions;
import dev.forebay.tiered.jvm.JvmSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Opens the JVM's log with few classes, then starts its appender with many. For the agent's thread.
 *
 * @hidden
 */
public final class JvmLog implements Predicate<String>, Runnable {

  /** Name of the context and of the messages' sender. */
  static final String NAME = "forebay-agent";

  private final ConfigFindings findings = new ConfigFindings();
  private @Nullable Arguments arguments;

  /** For the class that the application sees. */
  public JvmLog() {}

  /**
   * Has the JVM write as the agent's arguments say; returns whether it does. If it does not, the
   * appender tries, and says why.
   */
  @Override
  public boolean test(String text) {
    Arguments parsed = Arguments.parse(text, findings);
    arguments = parsed;
    JvmOptions options = new JvmOptions();
    options.what = parsed.what();
    options.decorators = parsed.decorators();
    options.memoryBytes = parsed.memory();
    ConfigFindings found = new ConfigFindings(); // by the appender too, which reports them
    JvmSettings settings = options.validate(found);
    try {
      return !findings.hasErrors()
          && !found.hasErrors()
          && JvmOpening.early(
              Path.of(parsed.file()).toAbsolutePath(),
              Path.of(parsed.spoolDirectory()),
              settings,
              parsed.isApart(),
              NAME);
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Starts the appender, or prints what is wrong with the arguments. */
  @Override
  public void run() {
    if (arguments != null) {
      try {
        new LogStart(arguments).run(findings);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }
  }
}
