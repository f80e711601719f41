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
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import dev.forebay.observe.LedgerSnapshot;
import dev.forebay.tiered.control.ControlClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** What the owner of a spool does when it is asked through its socket. */
class ControlIT {

  private static final int ROTATIONS = 10;
  private static final int STARTS = 20;
  @AutoClose private final Places places = Places.create();

  private String xml() {
    return places.xml() + Xml.FAST + Xml.MESSAGES;
  }

  private Path spool() throws IOException {
    return Sockets.await(places.spool(), 1).get(0);
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
        assertThat(Sockets.ask(spool, "rotate").lines())
            .singleElement()
            .asString()
            .startsWith("done rolled ");
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
      assertThat(Sockets.ask(left, "flush 30000").lines()).containsExactly("flushed true");
      child.kill();
      child.tell(oracle);
    }
    assertThat(ControlClient.isPresent(left)).isTrue();
    assertThatThrownBy(() -> Sockets.ask(left, "account")).isInstanceOf(IOException.class);
    try (Tiered tiered = Tiered.with(xml())) {
      Await.until("recovered", () -> !ControlClient.isPresent(left));
      Await.until("answers, and nothing is left of the dead one's", this::isAnswered);
      requireAllDelivered(tiered, 0);
      assertThat(tiered.problems()).as("a socket is no stranger in a spool").isEmpty();
    }
    oracle.requireSound(places.lines());
  }

  /** What is left of a dead spool has another name while it is deleted. */
  private boolean isAnswered() {
    try {
      return Sockets.ask(spool(), "account").lines().contains("offered 0");
    } catch (IOException e) {
      return false;
    }
  }

  @Test
  void startsAndStopsWhileOthersKeepAskingEndWithoutASocketOrALoss() throws Exception {
    Queue<Object> failures = new ConcurrentLinkedQueue<>();
    Thread asks = new Thread(() -> askUntilInterrupted(failures));
    asks.start();
    for (int i = 0; i < STARTS; i++) {
      try (Tiered tiered = Tiered.with(xml())) {
        tiered.log("p", 10L * i, 10);
        requireAllDelivered(tiered, 10);
      }
    }
    asks.interrupt();
    Await.end(asks);
    assertThat(failures).isEmpty();
    assertThat(Sockets.spools(places.spool())).isEmpty();
    new Oracle().producer("p", 10L * STARTS, 10L * STARTS).complete(0).requireSound(places.lines());
  }

  /** An appender that stops may hang up; what it says must be an answer. */
  private void askUntilInterrupted(Queue<Object> failures) {
    while (!Thread.currentThread().isInterrupted()) {
      try {
        for (Path spool : Sockets.spools(places.spool())) {
          Sockets.Answer answer = Sockets.ask(spool, "account");
          if (!answer.isDone()) {
            failures.add(answer);
          }
        }
      } catch (IOException e) {
        // The appender has stopped meanwhile.
      }
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
      assertThat(Sockets.spools(places.spool())).isEmpty();
    }
    new Oracle().producer("p", 10, 10).complete(0).requireSound(places.lines());
  }

  /** The control sockets below a spool directory. */
  private static final class Sockets {

    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);
    private static final int DEPTH = 4;

    /** What an appender said, or why it refused. */
    record Answer(boolean isDone, List<String> lines) {}

    private Sockets() {}

    /** The spools that have one. */
    static List<Path> spools(Path base) throws IOException {
      try (Stream<Path> paths = Files.walk(base, DEPTH)) {
        return paths.filter(ControlClient::isPresent).toList();
      } catch (UncheckedIOException e) {
        if (e.getCause() instanceof NoSuchFileException) {
          return List.of(); // a spool was just removed
        }
        throw e;
      }
    }

    /** Waits until there are so many. */
    static List<Path> await(Path base, int count) throws IOException {
      Await.until(count + " sockets", () -> spools(base).size() == count);
      return spools(base);
    }

    static Answer ask(Path spool, String request) throws IOException {
      try {
        return new Answer(true, ControlClient.ask(spool, request, PATIENCE_NS));
      } catch (IllegalStateException e) {
        return new Answer(false, List.of(e.getMessage()));
      }
    }
  }
}
