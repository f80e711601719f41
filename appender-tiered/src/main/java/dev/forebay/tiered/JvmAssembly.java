package dev.forebay.tiered;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Ledger;
import dev.forebay.tiered.jvm.JvmSettings;
import dev.forebay.tiered.jvm.JvmSource;
import dev.forebay.tiered.jvm.JvmVoice;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * Assembles what reads the JVM's log, of one start. Used by the thread that starts the appender.
 */
final class JvmAssembly {

  private final TieredAppender appender;
  private final JvmSettings settings;

  JvmAssembly(TieredAppender appender, JvmSettings settings, Ledger ledger) {
    this.appender = appender;
    this.settings = settings;
    ledger.addIntake(settings.account());
  }

  JvmSink sink(SpoolSink spool, SpoolPlace place, NanoClock clock) {
    String owner =
        "appender [%s] of context [%s] with <file> %s"
            .formatted(
                appender.getName(), appender.loggerContext().getName(), appender.rawFileProperty());
    Path log = Path.of(String.valueOf(appender.rawFileProperty())).toAbsolutePath().normalize();
    JvmSource source = new JvmSource(settings, log, new SpoolLines(spool, place), owner, voice());
    return new JvmSink(spool, source, appender.getEncoder(), clock);
  }

  private JvmVoice voice() {
    return new JvmVoice() {
      @Override
      public void error(String text) {
        appender.statuses().error(text, null);
      }

      @Override
      public void warn(String text, @Nullable Throwable cause) {
        appender.statuses().warn(text, cause);
      }
    };
  }
}
