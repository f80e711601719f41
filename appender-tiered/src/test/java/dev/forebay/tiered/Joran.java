package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.joran.JoranConfigurator;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.status.Status;
import dev.forebay.ConfigFindings;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.observe.Printable;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FaultyDisk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Contexts and appenders as a file or a program configures them. */
public final class Joran {

  private Joran() {}

  static void configure(LoggerContext context, String xml) throws JoranException {
    context.setName("tiered");
    if (context.getMDCAdapter() == null) {
      context.setMDCAdapter(new LogbackMDCAdapter());
    }
    JoranConfigurator configurator = new JoranConfigurator();
    configurator.setContext(context);
    configurator.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
  }

  /** A conversion word of the user's. */
  public static void word(LoggerContext context, String word, Class<?> converter)
      throws JoranException {
    configure(
        context,
        "<configuration><conversionRule conversionWord=\"%s\" class=\"%s\"/></configuration>"
            .formatted(word, converter.getName()));
    context.getStatusManager().clear(); // of a configuration without appenders
  }

  /** With one appender, called FILE, of these elements and a pattern if they have no encoder. */
  static TieredAppender tiered(LoggerContext context, String elements) throws JoranException {
    String encoder = "<encoder><pattern>%msg%n</pattern></encoder>";
    configure(
        context,
        """
        <configuration>
          <appender name="FILE" class="dev.forebay.tiered.TieredAppender">%s%s</appender>
          <root level="TRACE"><appender-ref ref="FILE"/></root>
        </configuration>
        """
            .formatted(elements, elements.contains("<encoder") ? "" : encoder));
    return (TieredAppender) context.getLogger(Logger.ROOT_LOGGER_NAME).getAppender("FILE");
  }

  static TieredAppender tiered(LoggerContext context, Disk disk, String elements)
      throws JoranException {
    Disk before = NioDisk.current();
    NioDisk.replaceWith(disk);
    try {
      return tiered(context, elements);
    } finally {
      NioDisk.replaceWith(before);
    }
  }

  static void sift(LoggerContext context, String file, Path spools, String maxFlushTime)
      throws JoranException {
    configure(
        context,
        """
        <configuration>
          <appender name="SIFT" class="ch.qos.logback.classic.sift.SiftingAppender">
            <discriminator><key>user</key><defaultValue>nobody</defaultValue></discriminator>
            <sift>
              <appender name="LOG-${user}" class="dev.forebay.tiered.TieredAppender">
                <file>%s</file>
                <spoolDirectory>%s</spoolDirectory>
                <maxFlushTime>%s</maxFlushTime>
                <encoder><pattern>%%msg%%n</pattern></encoder>
              </appender>
            </sift>
          </appender>
          <root level="TRACE"><appender-ref ref="SIFT"/></root>
        </configuration>
        """
            .formatted(file, spools, maxFlushTime));
  }

  /** A disk on which such files cannot be had or written, until it is healed. */
  static FaultyDisk failing(Predicate<Path> files, FaultyDisk.Op operation) {
    FaultyDisk disk = new FaultyDisk(NioDisk.current());
    disk.affecting(files);
    disk.failFrom(operation, 1, () -> new IOException("No space left on device"));
    return disk;
  }

  /** An appender as a program makes it, not started and not attached. */
  public static TieredAppender unstarted(
      LoggerContext context, String name, Path log, Path spools) {
    TieredAppender appender = new TieredAppender();
    appender.setContext(withMdc(context));
    appender.setName(name);
    appender.setFile(log.toString());
    appender.setSpoolDirectory(spools.toString());
    PatternLayoutEncoder encoder = encoder(context);
    encoder.stop(); // as a program may leave it
    appender.setEncoder(encoder);
    return appender;
  }

  private static LoggerContext withMdc(LoggerContext context) {
    if (context.getMDCAdapter() == null) {
      context.setMDCAdapter(new LogbackMDCAdapter());
    }
    return context;
  }

  static PatternLayoutEncoder encoder(LoggerContext context) {
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(withMdc(context));
    encoder.setPattern("%msg%n");
    encoder.start();
    return encoder;
  }

  /** What is wrong with the configuration of an appender called A. */
  static List<String> messages(ConfigFindings findings) {
    List<String> messages = new ArrayList<>();
    findings.reportTo(text -> messages.add(Printable.text("Appender [A]: " + text)));
    return messages;
  }

  /** Every event is accounted for, and none twice. */
  public static void requireLaw(LedgerSnapshot account) {
    assertThat(account.offered())
        .as("%s", account)
        .isEqualTo(
            account.delivered()
                + account.dropped()
                + account.expired()
                + account.held()
                + account.inFlight());
  }

  public static List<String> problems(LoggerContext context) {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .toList();
  }
}
