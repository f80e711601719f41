package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.it.support.CallTimes;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Needs;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Processes that stand still, and processes that only look like one that was there before. */
class StoppedProcessIT {

  @AutoClose private final Places places = Places.create();
  private final String inner =
      places.xml()
          + Xml.FAST
          + "<maxFlushTime>30 seconds</maxFlushTime>"
          + "<appendTimeout>30 seconds</appendTimeout>"
          + Xml.rollBySize(places.logDirectory(), "100KB")
          + Xml.MESSAGES;

  private Child start(String name, String... around) throws Exception {
    return Child.start(
        new Child.Task(name, 2, Long.MAX_VALUE, 100, 10, "released"),
        Xml.configuration(inner),
        places.directory(name),
        around);
  }

  /** In containers most processes have the same id in every life. */
  @Test
  void aProcessWithTheIdOfTheDeadOneShipsWhatThatOneSpooled() throws Exception {
    Needs.root("making a namespace of process ids");
    assumeTrue(
        Command.exitCode("unshare", "-p", "-f", "--mount-proc", "true") == 0,
        "no unshare: install util-linux, and allow namespaces");
    String[] namespace = {
      "unshare", "-p", "-f", "--kill-child", "--mount-proc", "sh", "-c", "\"$@\"; exit $?", "sh"
    };
    Oracle oracle = new Oracle();
    List<String> left;
    long pid;
    try (Child one = start("one", namespace)) {
      one.awaitOffered(0, 250);
      one.kill();
      pid = one.progress().pid();
      one.tell(oracle);
      left = SpoolPeek.lines(places.spool(), places.log());
      oracle.seen(left).seen(places.lines());
    }
    try (Child two = start("two", namespace)) {
      two.awaitOffered(0, 150);
      assertThat(two.progress().pid()).isEqualTo(pid);
      two.release();
      assertThat(two.awaitEnd()).as(two.output()).isZero();
      two.tell(oracle);
      CallTimes.record("a process id comes back", two.progress().longestCallNs());
    }
    assertThat(left).isNotEmpty();
    oracle.requireSound(places.lines());
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }
}
