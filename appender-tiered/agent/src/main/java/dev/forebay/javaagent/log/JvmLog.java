package dev.forebay.javaagent.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.spi.ContextAwareBase;
import dev.forebay.ConfigFindings;
import dev.forebay.jvm.JvmLogAppender;
import java.time.Duration;
import java.util.function.Consumer;

/** Starts the appender of the JVM's log. It runs until the JVM ends, which drains it. */
public final class JvmLog implements Consumer<String> {

  /** Name of the context and of the messages' sender. */
  static final String NAME = "forebay-agent";

  private static final String APPENDER = "JVM";

  /**
   * At the JVM's end, which a disk that hangs is to delay no longer. The next start ships the rest.
   */
  private static final String MAX_FLUSH_TIME = "250 ms";

  /** For the JVM to write; the log's disk has no part in that. */
  private static final Duration OPENING = Duration.ofSeconds(3);

  private final LoggerContext context = new LoggerContext();

  /** For the class that the application sees. */
  public JvmLog() {
    context.setName(NAME);
    context.getStatusManager().add(new StatusPrinter());
  }

  /**
   * Starts it as the agent's arguments say, or prints what is wrong with them. Returns when the JVM
   * writes, if that can be.
   */
  @Override
  public void accept(String text) {
    ConfigFindings findings = new ConfigFindings();
    Arguments arguments = Arguments.parse(text, findings);
    ContextAwareBase reporter = new ContextAwareBase();
    reporter.setContext(context);
    findings.reportTo(reporter, APPENDER);
    if (!findings.hasErrors()) {
      JvmLogAppender appender = appender(arguments);
      appender.start();
      boolean unused = appender.isStarted() && appender.awaitOpen(OPENING);
    }
  }

  private JvmLogAppender appender(Arguments arguments) {
    JvmLogAppender appender = new JvmLogAppender();
    appender.setContext(context);
    appender.setName(APPENDER);
    appender.setFile(arguments.file());
    appender.setMaxFlushTime(MAX_FLUSH_TIME);
    arguments.what().ifPresent(appender::setWhat);
    arguments.decorators().ifPresent(appender::setDecorators);
    arguments.memory().ifPresent(appender::setMemory);
    arguments.spoolDirectory().ifPresent(appender::setSpoolDirectory);
    SizeAndTimeBasedRollingPolicy<Object> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(arguments.archivePattern());
    policy.setMaxFileSize(arguments.maxFileSize());
    policy.setMaxHistory(arguments.maxHistory());
    policy.setTotalSizeCap(arguments.totalSizeCap());
    appender.setRollingPolicy(policy);
    return appender;
  }
}
