package dev.forebay.javaagent.log;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.status.Status;
import ch.qos.logback.core.status.StatusListener;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.ConfigFindings;
import dev.forebay.Statuses;
import dev.forebay.jvm.JvmLogAppender;
import dev.forebay.tiered.jvm.JvmOpening;
import java.io.IOException;
import java.time.Duration;
import java.util.regex.Pattern;

/** Starts the appender of the JVM's log. It runs until the JVM ends, which drains it. */
final class LogStart {

  private static final String APPENDER = "JVM";

  /** The longest delay of the JVM's end by a disk that hangs. The next start ships the rest. */
  private static final String MAX_FLUSH_TIME = "250 ms";

  /** Longest wait until the JVM writes, which does not depend on the log's disk. */
  private static final Duration OPENING = Duration.ofSeconds(3);

  private static final String NAMES = String.join("|", Arguments.NAMES);
  private static final Pattern ELEMENT = Pattern.compile("<(" + NAMES + ")>");

  /** An element with its value. */
  private static final Pattern WHOLE = Pattern.compile("<(" + NAMES + ")>([^<]+)</\\1>");

  private final LoggerContext context = new LoggerContext();
  private final Arguments arguments;

  LogStart(Arguments arguments) {
    this.arguments = arguments;
    context.setName(JvmLog.NAME);
    context.getStatusManager().add((StatusListener) LogStart::print);
  }

  /** Does so, or prints what is wrong. Returns when the JVM writes, if that can be. */
  void run(ConfigFindings findings) throws IOException {
    JvmLogAppender appender = new JvmLogAppender();
    appender.setContext(context);
    appender.setName(APPENDER);
    Statuses statuses = new Statuses(appender);
    statuses.start(() -> findings.reportTo(statuses)); // by a thread that may wait for a reader
    if (!findings.hasErrors()) {
      configure(appender);
      appender.start();
      if (appender.isStarted()) {
        boolean unused = appender.awaitOpen(OPENING);
      } else {
        JvmOpening.endUntaken();
      }
    }
  }

  /** Prints warnings and errors of the context, which has no other listener. */
  private static void print(Status status) {
    if (status.getLevel() >= Status.WARN) {
      Throwable cause = status.getThrowable();
      String text = asArgument(status.getMessage()) + (cause == null ? "" : ": " + cause);
      Statuses.print(JvmLog.NAME + ": " + text);
    }
  }

  /** The agent's arguments have no brackets, and colons where lists have commas. */
  static String asArgument(String text) {
    String named = WHOLE.matcher(text).replaceAll("$1=$2");
    return ELEMENT.matcher(named).replaceAll("$1").replaceAll("(?<=\\S),(?=\\S)", ":");
  }

  private void configure(JvmLogAppender appender) {
    appender.setFile(arguments.file());
    appender.setMaxFlushTime(MAX_FLUSH_TIME);
    appender.setWhat(arguments.what());
    appender.setDecorators(arguments.decorators());
    appender.setMemory(new FileSize(arguments.memory()));
    appender.setSpoolDirectory(arguments.spoolDirectory());
    appender.setShipping(arguments.shipping());
    if (arguments.shippingFallback() != null) {
      appender.setShippingFallback(arguments.shippingFallback());
    }
    SizeAndTimeBasedRollingPolicy<Object> policy = new SizeAndTimeBasedRollingPolicy<>();
    policy.setContext(context);
    policy.setParent(appender);
    policy.setFileNamePattern(arguments.archivePattern());
    policy.setMaxFileSize(new FileSize(arguments.maxFileSize()));
    policy.setMaxHistory(arguments.maxHistory());
    policy.setTotalSizeCap(new FileSize(arguments.totalSizeCap()));
    appender.setRollingPolicy(policy);
  }
}
