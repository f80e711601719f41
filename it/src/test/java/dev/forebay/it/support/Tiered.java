package dev.forebay.it.support;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** A Logback of this JVM, configured with one TieredAppender. */
public final class Tiered implements AutoCloseable {

  private static final Duration FLUSH = Duration.ofMinutes(2);

  private final LoggerContext context = new LoggerContext();
  private final CallTimes calls = new CallTimes();
  private String xml = "";

  private Tiered() {}

  /** Starts one with these elements inside the appender. */
  public static Tiered with(String... inner) throws JoranException {
    return configured(Xml.configuration(String.join("\n", inner)));
  }

  /** Starts one with a whole configuration, whose appender is called LOG. */
  public static Tiered configured(String xml) throws JoranException {
    return configured(xml, Map.of());
  }

  /** As the other, with properties of the context. */
  public static Tiered configured(String xml, Map<String, String> properties)
      throws JoranException {
    Tiered tiered = new Tiered();
    properties.forEach(tiered.context::putProperty);
    tiered.context.setName("it");
    tiered.context.setMDCAdapter(new LogbackMDCAdapter());
    tiered.configure(xml);
    return tiered;
  }

  private void configure(String configuration) throws JoranException {
    xml = configuration;
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  /** As Spring Boot and Play do: the same context, reset and configured again. */
  public void reconfigure(String... inner) throws JoranException {
    context.reset();
    configure(Xml.configuration(String.join("\n", inner)));
  }

  public LoggerContext context() {
    return context;
  }

  public TieredAppender appender() {
    Appender<ILoggingEvent> appender =
        context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("LOG");
    return (TieredAppender) Objects.requireNonNull(appender);
  }

  public Logger logger() {
    return context.getLogger("it");
  }

  /** Logs numbered messages at level INFO. */
  public Tiered log(String producer, long from, long count) {
    for (long number = from; number < from + count; number++) {
      String text = new Numbered(producer, number).text();
      calls.measure(() -> logger().info(text));
    }
    return this;
  }

  /** How long the calls of {@link #log} took. */
  public CallTimes calls() {
    return calls;
  }

  /** Waits until everything logged so far is in the log for good. */
  public Tiered flush() {
    if (!appender().flush(FLUSH)) {
      throw new AssertionError("not flushed: " + appender().snapshot() + " " + statuses());
    }
    return this;
  }

  public LedgerSnapshot snapshot() {
    return appender().snapshot();
  }

  /** All status messages so far. */
  public List<Status> statuses() {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList();
  }

  /** Messages of one level, {@code Status.WARN} for example. */
  public List<String> messages(int level) {
    return statuses().stream()
        .filter(status -> status.getEffectiveLevel() == level)
        .map(Status::getMessage)
        .toList();
  }

  public List<String> warnings() {
    return messages(Status.WARN);
  }

  /** Waits for a WARN that contains all of this. */
  public void awaitWarning(String... parts) throws Exception {
    Await.until(
        "told: " + String.join(" … ", parts),
        () -> warnings().stream().anyMatch(text -> Stream.of(parts).allMatch(text::contains)));
  }

  /** Warnings and errors. */
  public List<String> problems() {
    return statuses().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }

  public List<String> errors() {
    return messages(Status.ERROR);
  }

  /** Stops it. No call of {@link #log} or of a {@link Load} took too long. */
  @Override
  public void close() {
    context.stop();
    calls.requireCeiling(xml);
  }
}
