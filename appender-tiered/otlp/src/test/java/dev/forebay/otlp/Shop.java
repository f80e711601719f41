package dev.forebay.otlp;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.util.LogbackMDCAdapter;
import ch.qos.logback.core.status.Status;
import dev.forebay.host.Await;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** An application that logs to a collector. */
final class Shop implements AutoCloseable {

  final LoggerContext context = new LoggerContext();
  final TieredAppender appender = new TieredAppender();
  final Logger log = context.getLogger("shop.Cart");

  private Shop() {
    context.setMDCAdapter(new LogbackMDCAdapter());
  }

  static Shop start(Path spool, String endpoint) {
    return start(spool, to -> to.setEndpoint(endpoint), Map.of());
  }

  static Shop start(
      Path spool, Consumer<OtlpDestination> configured, Map<String, String> environment) {
    return start(spool, configured, environment, appender -> {});
  }

  static Shop start(
      Path spool,
      Consumer<OtlpDestination> configured,
      Map<String, String> environment,
      Consumer<TieredAppender> more) {
    Shop shop = new Shop();
    OtlpDestination to = new OtlpDestination(environment);
    configured.accept(to);
    TieredAppender appender = shop.appender;
    appender.setContext(shop.context);
    appender.setName("OTLP");
    appender.setDestination(to);
    appender.setSpoolDirectory(spool.toString());
    appender.setFsync("10 milliseconds");
    appender.setMaxFlushTime("1 second");
    more.accept(appender);
    appender.start();
    shop.context.getLogger("ROOT").addAppender(appender);
    return shop;
  }

  /** What was reported so far, of this level at least. */
  List<String> told(int level) {
    Await.said();
    return context.getStatusManager().getCopyOfStatusList().stream()
        .filter(status -> status.getLevel() >= level)
        .map(status -> status.getMessage() + " " + status.getThrowable())
        .filter(text -> !text.contains(" is not on tmpfs"))
        .toList();
  }

  List<String> problems() {
    return told(Status.WARN);
  }

  void awaitProblem(String part) {
    Await.until(part, () -> problems().stream().anyMatch(text -> text.contains(part)));
  }

  LedgerSnapshot account() {
    return appender.snapshot();
  }

  @Override
  public void close() {
    context.stop();
  }
}
