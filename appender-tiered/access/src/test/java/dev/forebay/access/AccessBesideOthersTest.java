package dev.forebay.access;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.access.common.net.SocketAppender;
import ch.qos.logback.access.common.sift.SiftingAppender;
import ch.qos.logback.access.common.spi.AccessContext;
import ch.qos.logback.access.common.spi.IAccessEvent;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Await;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.TieredAppender;
import java.io.ByteArrayOutputStream;
import java.io.ObjectInputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** An appender for access events among other appenders, and the standard streams. */
class AccessBesideOthersTest {

  private static final Duration LONG = Duration.ofSeconds(30);

  @TempDir Path directory;

  private String tiered(String name, String file, String encoder) {
    return """
    <appender name="%s" class="%s">
      <file>%s/%s</file><spoolDirectory>%3$s</spoolDirectory>
      <%s><pattern>%%r%%n</pattern></%5$s>
    </appender>
    """
        .formatted(name, AccessTieredAppender.class.getName(), directory, file, encoder);
  }

  private static String ref(String name) {
    return "<appender-ref ref=\"%s\"/>".formatted(name);
  }

  @Test
  void theReportOfARingReachesTheLogBehindIt() throws Exception {
    String xml =
        tiered("T", "access.log", "encoder")
            + "<appender name=\"A\" class=\"%s\">"
                .formatted(AccessNonBlockingAppender.class.getName())
            + ref("T")
            + "</appender>"
            + ref("A");
    try (AccessLog log = AccessLog.configured(xml)) {
      AccessNonBlockingAppender ring = log.appender(AccessNonBlockingAppender.class);
      AccessTieredAppender behind = (AccessTieredAppender) ring.getAppender("T");
      ring.stop();
      log.request("refused");
      ring.start();
      assertThat(ring.flush(LONG)).isTrue();
      ring.stop();
      assertThat(behind.snapshot().offered()).isEqualTo(behind.snapshot().delivered()).isEqualTo(1);
    }
    assertThat(AccessLog.lines(directory))
        .singleElement()
        .satisfies(line -> assertThat(line).startsWith("Forebay: 1 event dropped"));
  }

  /** A log call would throw into each request. */
  @Test
  void thoseForLogEventsSaySo() {
    AccessContext context = new AccessContext();
    for (Appender<?> each : List.of(new TieredAppender(), new NonBlockingAppender())) {
      each.setContext(context);
      each.setName("LOG");
      each.start();
      assertThat(each.isStarted()).isFalse();
      Await.said();
      assertThat(context.getStatusManager().getCopyOfStatusList())
          .filteredOn(status -> status.getOrigin() == each)
          .anyMatch(
              status ->
                  status
                      .getMessage()
                      .contains("takes log events, no requests: in an access log write"));
    }
  }

  /** It serializes none but Logback's own events, and would end at another one. */
  @Test
  void aSocketAppenderBehindARingSendsEachRequestButNoReport() throws Exception {
    try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
        AccessLog log =
            AccessLog.configured(
                """
                <appender name="S" class="%s">
                  <remoteHost>127.0.0.1</remoteHost><port>%d</port>
                </appender>
                <appender name="A" class="%s"><appender-ref ref="S"/></appender>
                <appender-ref ref="A"/>
                """
                    .formatted(
                        SocketAppender.class.getName(),
                        server.getLocalPort(),
                        AccessNonBlockingAppender.class.getName()))) {
      AccessNonBlockingAppender ring = log.appender(AccessNonBlockingAppender.class);
      server.setSoTimeout(30_000);
      log.request("one");
      requireSent(server, "one");
      ring.stop();
      // Its thread closes whichever socket is open when it ends, also that of the next start.
      Await.until(
          "the connection's thread ends",
          () ->
              log.context.getStatusManager().getCopyOfStatusList().stream()
                  .anyMatch(status -> status.getMessage().equals("shutting down")));
      log.request("refused");
      ring.start();
      log.request("two");
      assertThat(ring.flush(LONG)).isTrue();
      log.request("three");
      requireSent(server, "two", "three");
    }
  }

  private static void requireSent(ServerSocket server, String... requests) throws Exception {
    try (Socket client = server.accept()) {
      client.setSoTimeout(30_000);
      ObjectInputStream sent = new ObjectInputStream(client.getInputStream());
      for (String about : requests) {
        IAccessEvent event = (IAccessEvent) sent.readObject();
        assertThat(event.getRequestURI()).isEqualTo("/" + about);
        assertThat(event.getSessionID()).isEqualTo("s" + about);
      }
    }
  }

  /** A context forgets nothing that is registered with it. */
  @Test
  void aContextKnowsNoSiftedAppenderThatHasStoppedAndStopsThoseThatRun() throws Exception {
    String xml =
        """
        <appender name="A" class="%s">
          <discriminator>
            <key>uri</key><fieldName>REQUEST_URI</fieldName><defaultValue>none</defaultValue>
          </discriminator>
          <maxAppenderCount>2</maxAppenderCount>
          <sift>%s</sift>
        </appender>
        """
            .formatted(
                SiftingAppender.class.getName(), tiered("of ${uri}", "${uri}.log", "encoder"));
    try (AccessLog log = AccessLog.configured(xml + ref("A"))) {
      SiftingAppender sifting = log.appender(SiftingAppender.class);
      IntStream.range(0, 10).forEach(i -> log.request("n" + i));
      Appender<?> last = sifting.getAppenderTracker().find("n9");
      assertThat(log.problems()).isEmpty();
      assertThat(log.registered).hasSize(1).doesNotContain(last);
      assertThat(last.isStarted()).isTrue();
      log.context.reset();
      assertThat(last.isStarted()).isFalse();
    }
    for (int i = 0; i < 10; i++) {
      Path file = directory.resolve("n" + i + ".log");
      String line = "POST /n%d?n%1$d HTTP/n%1$d\n".formatted(i);
      Await.until(
          "the stop of " + file, () -> Files.exists(file) && Files.readString(file).equals(line));
    }
  }

  /** Logback's own warning of a layout comes from the first one: it is not one of Logback's. */
  @Test
  void twoWithALayoutAndOneFileStartBoth() {
    String xml =
        tiered("A", "access.log", "layout")
            .replace("<layout>", "<layout class=\"ch.qos.logback.access.common.PatternLayout\">");
    try (AccessLog log =
        AccessLog.configured(xml + xml.replace("\"A\"", "\"B\"") + ref("A") + ref("B"))) {
      assertThat(log.problems()).noneMatch(text -> text.contains("is also used by"));
      assertThat(log.tiered().isStarted()).isTrue();
      assertThat(log.context.getAppender("B").isStarted()).isTrue();
    }
  }

  @Test
  void takesTheConfigurationOfAConsoleAppender() {
    PrintStream before = System.err;
    ByteArrayOutputStream printed = new ByteArrayOutputStream();
    System.setErr(new PrintStream(printed, true, StandardCharsets.UTF_8));
    try (AccessLog log =
        AccessLog.with(
            AccessTieredAppender.class,
            "<target>System.err</target><encoder><pattern>%r%n</pattern></encoder><spoolDirectory>"
                + directory
                + "</spoolDirectory>")) {
      log.request("one");
      assertThat(log.tiered().flush(LONG)).isTrue();
      assertThat(log.problems()).isEmpty();
      assertThat(log.tiered().snapshot().dropped(DropReason.STOPPED)).isZero();
    } finally {
      System.setErr(before);
    }
    assertThat(printed).hasToString("POST /one?one HTTP/one\n");
  }
}
