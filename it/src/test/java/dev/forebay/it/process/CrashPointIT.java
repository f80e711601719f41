package dev.forebay.it.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;
import dev.forebay.host.FileTree;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Strace;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * A process that dies before a call that changes a file, in a short life with two rollovers; then
 * recoveries that die themselves; then one that does not. A build tries each kind of call once; in
 * full, each kind is tried before its first, second, third call, until the life survives.
 */
@Tag("soak")
@Tag("nightly")
class CrashPointIT {

  private static final boolean FULL = Boolean.getBoolean("forebay.crash.full");

  /** How many recoveries die in succession. */
  private static final int RECOVERIES = Integer.getInteger("forebay.crash.recoveries", 1);

  /** A call by which a JVM also opens what is not ours is counted on the log only. */
  private static final List<String> CALLS =
      List.of("pwrite64", "fdatasync", "fsync", "rename", "unlink", "rmdir", "mkdir", "openat");

  private int kills;
  private int killsInRecovery;

  @BeforeEach
  void requireStrace() throws Exception {
    assumeTrue(Strace.works(), Strace.MISSING);
  }

  @ParameterizedTest
  @EnumSource
  void nothingSpooledIsMissingDoubledOrTornWhereverTheProcessAndItsRecoveriesDie(ShortLife life)
      throws Exception {
    List<String> faults = new ArrayList<>();
    for (int call = 0; call < CALLS.size(); call++) {
      int number = FULL ? 1 : 1 + life.ordinal() % 2;
      while (trial(life, call, number, faults) && FULL) {
        number++;
      }
    }
    Figures.record(
        "crash-points.txt",
        "%s: %d lives and %d recoveries killed, faults: %s",
        life,
        kills,
        killsInRecovery,
        faults);
    assertThat(faults).isEmpty();
    assertThat(kills).isGreaterThanOrEqualTo(CALLS.size() / 2);
    assertThat(killsInRecovery).isPositive();
  }

  /** One life, the recoveries after it and what all of them left; whether the life was killed. */
  private boolean trial(ShortLife life, int call, int number, List<String> faults)
      throws Exception {
    try (Places places = Places.create()) {
      Oracle oracle = new Oracle().alsoAllowed(ShortLife.HEADER);
      try {
        boolean died = dies(life, places, life.task("life"), point(places, call, number), oracle);
        kills += died ? 1 : 0;
        if (!died) {
          assertThat(life.files(places).paths()).as("two rollovers").hasSizeGreaterThan(2);
        }
        for (int i = 0; i < RECOVERIES; i++) {
          Strace.Point next = point(places, (call + number + i) % CALLS.size(), 1 + i);
          boolean again = dies(life, places, ShortLife.recovery("again" + i), next, oracle);
          killsInRecovery += again ? 1 : 0;
        }
        recover(life, places, oracle);
        return died;
      } catch (AssertionError e) {
        faults.add("killed before %s %d: %s".formatted(CALLS.get(call), number, e.getMessage()));
        return false;
      }
    }
  }

  private static Strace.Point point(Places places, int call, int number) {
    String name = CALLS.get(call);
    return new Strace.Point(name, number, name.equals("openat") ? places.log().toString() : "");
  }

  /** Runs a task, perhaps to its death, and tells the oracle what must survive. */
  private static boolean dies(
      ShortLife life, Places places, Child.Task task, Strace.Point point, Oracle oracle)
      throws Exception {
    Path reports = places.directory("reports-" + task.name());
    String xml = Xml.configuration(life.xml(places));
    try (Child child = Child.start(task, xml, reports, Strace.killing(point))) {
      int exit = child.awaitEnd();
      child.tell(oracle);
      oracle.seen(spooled(places)).seen(life.lines(places));
      if (exit == 0) {
        assertThat(child.status()).isEmpty();
      }
      return exit != 0;
    }
  }

  /** What the dead left in their spools. Looks into a copy, because looking takes locks. */
  private static List<String> spooled(Places places) throws Exception {
    Path copy = places.root().resolve("spool-copy");
    try {
      Command.run("cp", "-a", places.spool().toString(), copy.toString());
      return SpoolPeek.lines(copy, places.log());
    } finally {
      FileTree.delete(copy);
    }
  }

  private static void recover(ShortLife life, Places places, Oracle oracle) throws Exception {
    try (Tiered next = Tiered.with(life.xml(places))) {
      next.log("next", 0, 5).flush();
      assertThat(next.warnings()).isEmpty();
    }
    oracle.producer("next", 5, 5).requireSound(life.lines(places));
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
  }

  /** The lives of the crash matrix: each logs, rolls twice and stops. */
  enum ShortLife {

    /** Ships what it logs at once. */
    PROMPT(120, 40) {
      @Override
      String appender(Places places) {
        return FSYNC + Xml.rollBySize(places.logDirectory(), "8KB");
      }
    },

    /**
     * Fills its spool of two segments before the first record is shipped, and settles only when it
     * must: so kills meet full and recycled segments, and long tails behind the checkpoint.
     */
    LAGGING(1000, 1000) {
      @Override
      String appender(Places places) {
        return "<fsync>1 hour</fsync><spoolSize>128KB</spoolSize>"
            + "<appendTimeout>30 seconds</appendTimeout>"
            + Xml.rollBySize(places.logDirectory(), "80KB");
      }
    },

    /** Its archives are packed, by a thread of Logback's. */
    PACKING(120, 40) {
      @Override
      String appender(Places places) {
        return FSYNC + Xml.rollBySize(places.logDirectory(), "8KB").replace(".log<", ".log.gz<");
      }
    },

    /** A roll renames every archive. */
    WINDOW(120, 40) {
      @Override
      String appender(Places places) {
        return FSYNC
            + """
          <rollingPolicy class="ch.qos.logback.core.rolling.FixedWindowRollingPolicy">
            <fileNamePattern>%s/app.%%i.log</fileNamePattern>
            <maxIndex>20</maxIndex>
          </rollingPolicy>
          <triggeringPolicy class="ch.qos.logback.core.rolling.SizeBasedTriggeringPolicy">
            <maxFileSize>8KB</maxFileSize><checkIncrement>0 seconds</checkIncrement>
          </triggeringPolicy>
          """
                .formatted(places.logDirectory());
      }

      @Override
      LogFiles files(Places places) {
        return LogFiles.of(places.log()).numberedFromNewest();
      }
    };

    /** Every file and every start gets a header line, so that a death can hit that too. */
    static final String HEADER = "#logback.classic pattern: %msg%n";

    private static final String FSYNC = Xml.FAST;
    private static final String HEADED =
        "<encoder><outputPatternAsHeader>true</outputPatternAsHeader><pattern>%msg%n</pattern></encoder>";

    private static final int MESSAGES_AFTERWARDS = 5;

    private final int messages;
    private final int flushEvery;

    ShortLife(int messages, int flushEvery) {
      this.messages = messages;
      this.flushEvery = flushEvery;
    }

    abstract String appender(Places places);

    /** The elements inside the appender. */
    String xml(Places places) {
      return places.xml() + "<segmentSize>64KB</segmentSize>" + appender(places) + HEADED;
    }

    LogFiles files(Places places) {
      return LogFiles.of(places.log());
    }

    List<String> lines(Places places) throws IOException {
      return files(places).lines();
    }

    /** Logs, rolls twice, stops. */
    Child.Task task(String name) {
      return new Child.Task(name, 1, messages, flushEvery, 0, "stop");
    }

    /** Ships what is there, logs a little, stops. */
    static Child.Task recovery(String name) {
      return new Child.Task(name, 1, MESSAGES_AFTERWARDS, MESSAGES_AFTERWARDS, 0, "stop");
    }
  }
}
