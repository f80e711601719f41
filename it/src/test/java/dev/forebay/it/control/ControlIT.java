package dev.forebay.it.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Load;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.control.ControlClient;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the owner of a spool does when it is asked through its socket. */
class ControlIT {

  private static final int ROTATIONS = 10;
  @AutoClose private final Places places = Places.create();

  private String xml() {
    return places.xml() + Xml.FAST + Xml.MESSAGES;
  }

  private Path spool() throws IOException {
    AtomicReference<List<Path>> found = new AtomicReference<>();
    Await.until(
        "a socket",
        () -> {
          found.set(spools());
          return found.get().size() == 1;
        });
    return found.get().get(0);
  }

  private static void requireAllDelivered(Tiered tiered, long events) {
    LedgerSnapshot account = tiered.flush().snapshot();
    assertThat(account.offered()).isEqualTo(events);
    assertThat(account.delivered()).isEqualTo(events);
    assertThat(account.inFlight()).isZero();
  }

  @Test
  void theBeanDoesTheSame() throws Exception {
    try (Tiered tiered = Tiered.with(xml() + Xml.rollBySize(places.logDirectory(), "100MB"))) {
      spool();
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName("dev.forebay:type=Appender,context=it,name=LOG");
      tiered.log("p", 0, 10);
      Await.until("in JMX", () -> server.isRegistered(name));
      Object done = server.invoke(name, "rotate", new Object[0], new String[0]);
      assertThat(done).asString().startsWith("rolled ");
      String text = String.class.getName();
      String[] types = {text, text, "int"};
      assertThatThrownBy(
              () -> server.invoke(name, "setLevel", new Object[] {"no name", "DEBUG", 1}, types))
          .hasRootCauseInstanceOf(IllegalArgumentException.class);
      Object unused = server.invoke(name, "setLevel", new Object[] {"it", "DEBUG", 600}, types);
      assertThat(tiered.logger().getLevel()).isEqualTo(Level.DEBUG);
      requireAllDelivered(tiered, 11);
      assertThat(LogFiles.of(places.log()).fileCount()).isEqualTo(2);
      assertThat(places.lines()).contains("Forebay: level of it set to DEBUG for 600 s");
    }
    new Oracle().producer("p", 10, 10).complete(0).requireSound(places.lines());
  }

  @Test
  void rotationsUnderLoadLoseAndDoubleNothing() throws Exception {
    Oracle oracle;
    int files;
    try (Tiered tiered = Tiered.with(xml() + Xml.rollBySize(places.logDirectory(), "100MB"));
        Load load = Load.on(tiered)) {
      Path spool = spool();
      for (int i = 0; i < ROTATIONS; i++) {
        load.awaitMore(20);
        assertThat(ask(spool, "rotate")).singleElement().asString().startsWith("done rolled ");
      }
      oracle = load.endWithoutLoss();
      files = LogFiles.of(places.log()).fileCount();
    }
    assertThat(files).isEqualTo(ROTATIONS + 1);
    oracle.requireSound(places.lines());
  }

  @Test
  void aSocketOfADeadProcessIsRefusedAndRemovedByTheNextStart() throws Exception {
    String configuration = Xml.configuration(xml());
    Oracle oracle = new Oracle();
    Path left;
    try (Child child =
        Child.start(
            new Child.Task("c", 1, 500, 0, 100, "wait"),
            configuration,
            places.directory("reports"))) {
      child.awaitOffered(0, 500);
      left = spool();
      assertThat(ask(left, "flush 30000")).containsExactly("flushed true");
      child.kill();
      child.tell(oracle);
    }
    Path socket = left.resolve(Spool.CONTROL_SOCKET);
    assertThat(socket).exists();
    assertThat(ControlClient.isPresent(left)).as("nobody listens").isFalse();
    assertThatThrownBy(() -> ask(left, "account")).isInstanceOf(IOException.class);
    try (Tiered tiered = Tiered.with(xml())) {
      Await.until("recovered", () -> Files.notExists(socket));
      Await.until("answers, and nothing is left of the dead one's", this::isAnswered);
      requireAllDelivered(tiered, 0);
      assertThat(tiered.problems()).as("a socket is no stranger in a spool").isEmpty();
    }
    oracle.requireSound(places.lines());
  }

  /** What is left of a dead spool has another name while it is deleted. */
  private boolean isAnswered() {
    try {
      return ask(spool(), "account").contains("offered 0");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void withControlOffThereIsNoSocketAndTheBeanSteersNothing() throws Exception {
    try (Tiered tiered = Tiered.with(xml() + "<control>false</control>")) {
      tiered.log("p", 0, 10);
      requireAllDelivered(tiered, 10);
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      ObjectName name = new ObjectName("dev.forebay:type=Appender,context=it,name=LOG");
      Await.until("in JMX", () -> server.isRegistered(name));
      assertThat(server.getMBeanInfo(name).getOperations())
          .extracting(MBeanOperationInfo::getName)
          .containsExactlyInAnyOrder("flush", "dump");
      assertThat(spools()).isEmpty();
    }
    new Oracle().producer("p", 10, 10).complete(0).requireSound(places.lines());
  }

  /** The spools that have a control socket. */
  private List<Path> spools() throws IOException {
    return SpoolPeek.spools(places.spool()).stream().filter(ControlClient::isPresent).toList();
  }

  private static List<String> ask(Path spool, String request) throws IOException {
    return ControlClient.ask(spool, request, TimeUnit.SECONDS.toNanos(60));
  }
}
