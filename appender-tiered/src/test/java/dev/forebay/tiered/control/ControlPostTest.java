package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What steers an appender whose spool moves, and what it answers. */
@Tag("once")
class ControlPostTest {

  private static final long LONG_NS = TimeUnit.SECONDS.toNanos(30);

  @TempDir private Path directory;

  private final List<ControlPost> posts = new ArrayList<>();
  private final List<String> warnings = new ArrayList<>();

  @AfterEach
  void closeAll() {
    posts.forEach(ControlPost::close);
  }

  private Path spool(String name) throws IOException {
    return Files.createDirectories(directory.resolve(name));
  }

  /** The post of an appender whose loggers have this one level. */
  private ControlPost post(String logger, AtomicReference<@Nullable Path> spool)
      throws IOException {
    ControlMXBean control =
        (ControlMXBean)
            Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {ControlMXBean.class},
                (proxy, method, arguments) -> Map.of(logger, "INFO"));
    ControlPost post =
        new ControlPost(
            control,
            new JmxRegistration(new LoggerContext(), logger, new Object(), text -> {}),
            spool::get,
            warnings::add);
    posts.add(post);
    post.tend();
    return post;
  }

  private static List<String> ask(Path spool) throws IOException {
    return ControlClient.ask(spool, "levels", LONG_NS);
  }

  @Test
  void aMoveSucceedsThoughTheFormerPlaceAndTheSpoolOfAnotherAreGone() throws Exception {
    AtomicReference<@Nullable Path> at = new AtomicReference<>(spool("first"));
    ControlPost post = post("a", at);
    ControlPost unused = post("b", new AtomicReference<>(spool("other")));
    ControlPost unusedToo = post("c", new AtomicReference<>(spool("removed")));
    for (String gone : List.of("removed", "first")) {
      Files.delete(spool(gone).resolve(Spool.CONTROL_SOCKET));
      Files.delete(spool(gone));
    }

    at.set(spool("second"));
    post.tend();

    assertThat(ask(spool("second"))).containsExactly("a INFO");
    assertThat(ask(spool("other"))).containsExactly("b INFO");
    assertThat(warnings).isEmpty();
  }

  /** A stop may ship it while the socket is being made. */
  @Test
  void aSpoolThatIsGoneBeforeItIsServedIsNoNews() throws Exception {
    AtomicReference<@Nullable Path> at = new AtomicReference<>(directory.resolve("gone"));
    ControlPost post = post("a", at);
    assertThat(warnings).isEmpty();
    at.set(spool("next"));
    post.tend();
    assertThat(ask(spool("next"))).containsExactly("a INFO");
  }

  private static String account(String degraded, String lastError) {
    Map<String, Object> told =
        Map.of(
            "getAccount", Map.of("dropped", 3L),
            "getDegraded", degraded,
            "getLastError", lastError);
    ControlMXBean control =
        (ControlMXBean)
            Proxy.newProxyInstance(
                ControlPostTest.class.getClassLoader(),
                new Class<?>[] {ControlMXBean.class},
                (proxy, method, arguments) -> told.get(method.getName()));
    return new Requests(control).apply(" account");
  }

  @Test
  void anAccountSaysInWordsWhatFails() {
    assertThat(account("the log: full; no\nspool", "the log: full"))
        .isEqualTo("ok\ndropped 3\ndegraded the log: full; no?spool\nlastError the log: full\n\n");
    assertThat(account("", "the log: full"))
        .isEqualTo("ok\ndropped 3\nlastError the log: full\n\n");
    assertThat(account("", "")).isEqualTo("ok\ndropped 3\n\n");
  }
}
