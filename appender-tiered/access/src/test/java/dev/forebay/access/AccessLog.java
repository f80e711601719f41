package dev.forebay.access;

import ch.qos.logback.access.common.joran.JoranConfigurator;
import ch.qos.logback.access.common.spi.AccessContext;
import ch.qos.logback.core.Appender;
import ch.qos.logback.core.joran.spi.JoranException;
import ch.qos.logback.core.spi.LifeCycle;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** A context configured by the text of a logback-access.xml. */
final class AccessLog implements AutoCloseable {

  final Set<LifeCycle> registered = new HashSet<>();
  final AccessContext context =
      new AccessContext() {
        @Override
        public void register(LifeCycle component) {
          registered.add(component);
          super.register(component);
        }
      };
  final PooledRequest request = new PooledRequest(context);

  private AccessLog() {
    context.setName("access");
    context.start();
  }

  static AccessLog configured(String inner) {
    AccessLog log = new AccessLog();
    JoranConfigurator joran = new JoranConfigurator();
    joran.setContext(log.context);
    String xml = "<configuration>" + inner + "</configuration>";
    try {
      joran.doConfigure(new ByteArrayInputStream(xml.getBytes(StandardCharsets.UTF_8)));
    } catch (JoranException e) {
      throw new AssertionError(e);
    }
    return log;
  }

  static AccessLog with(Class<?> appender, String inner) {
    return configured(
        "<appender name=\"A\" class=\"%s\">%s</appender><appender-ref ref=\"A\"/>"
            .formatted(appender.getName(), inner));
  }

  /** A TieredAppender with its places below a directory, whose log is there too. */
  static AccessLog tiered(Path directory, String inner) {
    return with(
        AccessTieredAppender.class,
        "<file>%s/access.log</file><spoolDirectory>%s</spoolDirectory><fsync>10 ms</fsync>"
                .formatted(directory, directory)
            + inner);
  }

  <T> T appender(Class<T> type) {
    Appender<?> found = context.getAppender("A");
    return type.cast(found);
  }

  AccessTieredAppender tiered() {
    return appender(AccessTieredAppender.class);
  }

  void request(String about) {
    context.callAppenders(request.next(about));
  }

  List<String> problems() {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getEffectiveLevel() >= Status.WARN)
        .map(Status::getMessage)
        .filter(text -> !text.contains(" is not on tmpfs"))
        .toList();
  }

  static List<String> lines(Path directory) throws IOException {
    return Files.readAllLines(directory.resolve("access.log"));
  }

  @Override
  public void close() {
    context.detachAndStopAllAppenders();
    context.stop();
  }
}
