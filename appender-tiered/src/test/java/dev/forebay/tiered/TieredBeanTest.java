package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import dev.forebay.host.Await;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TieredBeanTest {

  @TempDir Path directory;

  @Test
  void showsCountersAndTakesNothingButATimeAndAReason() throws Exception {
    LoggerContext context = new LoggerContext();
    context.setName("tiered-bean");
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    encoder.start();
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    appender.setName("A\n\u001B[31m");
    appender.setFile(directory.resolve("app.log").toString());
    appender.setSpoolDirectory(directory.toString());
    appender.setEncoder(encoder);
    appender.setControl(false);
    appender.start();
    try {
      MBeanInfo info = beanInfo();

      assertThat(info.getOperations())
          .extracting(
              operation ->
                  operation.getName()
                      + Stream.of(operation.getSignature())
                          .map(parameter -> parameter.getType() + " " + parameter.getName())
                          .toList())
          .containsExactlyInAnyOrder("flush[long timeoutMillis]", "dump[java.lang.String reason]");
      assertThat(info.getAttributes())
          .extracting(MBeanAttributeInfo::getName)
          .contains("Account", "SpoolPath", "Degraded");
      assertThat(info.getAttributes()).noneMatch(MBeanAttributeInfo::isWritable);
      assertThat(info.getConstructors()).isEmpty();
    } finally {
      appender.stop();
    }
  }

  @Test
  void saysWhyTheLogIsBehind() throws Exception {
    LoggerContext context = new LoggerContext();
    context.setName("tiered-bean");
    context.setMDCAdapter(new LogbackMDCAdapter());
    PatternLayoutEncoder encoder = new PatternLayoutEncoder();
    encoder.setContext(context);
    encoder.setPattern("%msg%n");
    TieredAppender appender = new TieredAppender();
    appender.setContext(context);
    appender.setName("DEGRADED");
    Path log = Files.createDirectory(directory.resolve("app.log")); // no log file can be here
    appender.setFile(log.toString());
    appender.setSpoolDirectory(directory.toString());
    appender.setMaxFlushTime("100 ms");
    appender.setEncoder(encoder);
    context.getLogger("test").addAppender(appender);
    appender.start();
    try {
      ObjectName bean = Beans.await("tiered-bean", "DEGRADED");
      context.getLogger("test").error("event");
      // There may be no spool yet.
      Await.until(
          "the log named",
          () -> ((String) Beans.SERVER.getAttribute(bean, "Degraded")).contains("the log " + log));
    } finally {
      appender.stop();
    }
  }

  /** The reporter's thread registers it. */
  private static MBeanInfo beanInfo() throws Exception {
    ObjectName pattern = new ObjectName("dev.forebay:type=Appender,context=tiered-bean,*");
    Await.until("in JMX", () -> !Beans.SERVER.queryNames(pattern, null).isEmpty());
    Set<ObjectName> names = Beans.SERVER.queryNames(pattern, null);
    assertThat(names).hasSize(1);
    ObjectName name = names.iterator().next();
    assertThat(name.getCanonicalName()).doesNotContain("\n", "\u001B");
    return Beans.SERVER.getMBeanInfo(name);
  }
}
