package dev.forebay.testkit;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/** A logger context configured by XML. Closing it stops it. */
public final class Joran implements AutoCloseable {

  private final LoggerContext context;
  private final Path logDirectory;

  private Joran(LoggerContext context, Path logDirectory, String xml) {
    this.context = context;
    this.logDirectory = logDirectory;
    configure(xml);
  }

  public static Joran of(String xml, Path logDirectory) {
    return new Joran(Events.context("joran"), logDirectory, xml);
  }

  public static Joran of(LoggerContext context, String xml, Path logDirectory) {
    return new Joran(context, logDirectory, xml);
  }

  /** A ring before a recording appender, with so much more in its element. */
  public static Joran ofRing(String properties) {
    String xml =
        """
        <configuration>
          <appender name="LIST" class="dev.forebay.testkit.RecordingAppender"/>
          <appender name="RING" class="dev.forebay.NonBlockingAppender">
            %s<appender-ref ref="LIST"/>
          </appender>
          <root level="TRACE"><appender-ref ref="RING"/></root>
        </configuration>
        """;
    return of(xml.formatted(properties), Path.of(""));
  }

  /** Stops everything and configures anew, as Logback's scan does. */
  public void reset(String xml) {
    context.reset();
    configure(xml);
  }

  private void configure(String xml) {
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    context.putProperty("LOG_DIR", logDirectory.toString());
    try {
      configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    } catch (JoranException e) {
      throw new AssertionError(e);
    }
  }

  public LoggerContext context() {
    return context;
  }

  public Appender<ILoggingEvent> appender(String name) {
    return context.getLogger("ROOT").getAppender(name);
  }

  public NonBlockingAppender ring(String name) {
    return (NonBlockingAppender) appender(name);
  }

  public List<String> warnings() {
    return statuses(Status.WARN);
  }

  public List<String> errors() {
    return statuses(Status.ERROR);
  }

  private List<String> statuses(int level) {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() == level)
        .map(Status::getMessage)
        .toList();
  }

  @Override
  public void close() {
    context.stop();
  }
}
