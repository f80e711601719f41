package dev.forebay.it.jvm;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.jvm.JvmLogAppender;
import java.time.Duration;

/** A process that logs, and that has its JVM's lines beside its own events. */
public final class JvmEventsChild {

  static final String LOGGER = "app";
  static final int REQUESTS = 20;

  private static final Duration FLUSH = Duration.ofSeconds(60);

  private JvmEventsChild() {}

  /**
   * Logs before and after each collection it asks for.
   *
   * @param args the configuration file, with an appender JVM
   */
  public static void main(String[] args) throws Exception {
    LoggerContext context = new LoggerContext();
    context.setMDCAdapter(new LogbackMDCAdapter());
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(context);
    joran.doConfigure(args[0]);
    JvmLogAppender jvm = (JvmLogAppender) context.getLogger("ROOT").getAppender("JVM");
    Await.until("the JVM writes", jvm::isOpen);
    for (int request = 0; request < REQUESTS; request++) {
      context.getLogger(LOGGER).info("begin {}", request);
      System.gc();
      context.getLogger(LOGGER).info("end {}", request);
    }
    jvm.flush(FLUSH);
    context.stop();
    context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .forEach(System.out::println);
  }
}
