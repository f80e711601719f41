package dev.forebay.it.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Seccomp;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a profile forbids is told, and costs no event that is not counted. */
class SeccompIT {

  private static final long MESSAGES = 1_000;

  @AutoClose private final Places places = Places.create();
  private final Oracle oracle = new Oracle();
  private final String inner =
      places.xml()
          + "<segmentSize>64KB</segmentSize><maxFlushTime>2 seconds</maxFlushTime>"
          + Xml.rollBySize(places.logDirectory(), "100KB").replace(".%i.log", ".%i.log.gz")
          + Xml.FAST
          + Xml.MESSAGES;

  @BeforeEach
  void assumePossible() throws Exception {
    Seccomp.assumePossible();
  }

  /** Its warnings, of which it had the first before its stop. */
  private List<String> live(String name, String warning, String... around) throws Exception {
    Child.Task task = new Child.Task(name, 1, MESSAGES, 0, 5, "wait");
    try (Child child =
        Child.start(task, Xml.configuration(inner), places.directory(name), around)) {
      child.awaitOffered(0, MESSAGES);
      Await.until("told: " + warning, () -> child.status().contains(warning));
      child.release();
      assertThat(child.awaitEnd()).as(child.output()).isZero();
      assertThat(child.dropped()).isZero();
      child.tell(oracle);
      return child.status().lines().toList();
    }
  }

  private void requireAll() throws Exception {
    oracle.complete(0).requireSound(LogFiles.of(places.log()).lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  @Test
  void withoutWhatIsOnlyConvenientTheSocketAloneIsMissing() throws Exception {
    String[] around =
        Seccomp.refusing(
            "mincore", "madvise", "socket", "link", "linkat", "statfs", "fstatfs", "fallocate");
    assertThat(live("only", "No control socket", around)).hasSize(1);
    requireAll();
  }

  @Test
  void withoutLocksTheSpoolIsInTheHeap() throws Exception {
    String warning =
        "<spoolDirectory> " + places.spool() + " cannot be used: Operation not permitted; spooling";
    assertThat(live("only", warning, Seccomp.refusing(Seccomp.LOCKS))).hasSize(1);
    requireAll();
  }

  @Tag("nightly")
  @Test
  void whatCannotBeForcedStaysInTheSpoolForTheNextStart() throws Exception {
    String warning = "cannot write " + places.log();
    assertThat(live("first", warning, Seccomp.refusing("fsync", "fdatasync")))
        .anyMatch(text -> text.contains(MESSAGES + " events are left in the spool"));
    assertThat(live("second", "")).isEmpty();
    requireAll();
  }
}
