package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Figures;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.SpoolPeek;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The same log through many lives of a Spring Boot application, each ended by kill -9. */
@Tag("soak")
@Tag("jdk-nightly")
class SpringBootKillIT {

  private static final int LIVES = Integer.getInteger("forebay.boot.lives", 1);
  private static final int CLIENTS = 2;
  private static final int EACH_REQUEST = 10;
  private static final int BEFORE_THE_KILL = 300;
  private static final int LONGEST_LIFE_MS = 300;

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Oracle oracle = new Oracle();
  private Places places;
  private long spooledOnly;

  @BeforeEach
  void create() throws Exception {
    System.out.println("-Dforebay.kill.seed=" + seed);
    places = Places.create();
  }

  @AfterEach
  void delete() throws Exception {
    places.close();
  }

  /** Requests one after the other, until the application is gone. */
  private static Thread client(BootProcess boot, String producer, AtomicLong offered) {
    Thread thread =
        new Thread(
            () -> {
              try {
                while (boot.isAlive()) {
                  boot.log(producer, offered.getAndAdd(EACH_REQUEST), EACH_REQUEST);
                }
              } catch (IOException e) {
                // killed while it answered
              } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
              }
            },
            producer);
    thread.start();
    return thread;
  }

  /** One life. In every second one the log cannot be written, so that only the spool has it. */
  private void live(FatJar version, String xml, int life) throws Exception {
    boolean blocked = life % 2 == 1;
    Path aside = places.root().resolve("aside");
    if (blocked) {
      Files.move(places.logDirectory(), aside);
      Files.writeString(places.logDirectory(), "in the way");
    }
    loadAndKill(version, xml, life);
    if (blocked) {
      Files.delete(places.logDirectory());
      Files.move(aside, places.logDirectory());
    }
    List<String> inLog = BootXml.ours(places.lines());
    List<String> inSpool = BootXml.ours(SpoolPeek.lines(places.spool(), places.log()));
    assertThat(inSpool).as("in the spool after the kill").isNotEmpty();
    oracle.seen(inLog).seen(inSpool);
    Set<String> shipped = new HashSet<>(inLog);
    spooledOnly += inSpool.stream().filter(line -> !shipped.contains(line)).count();
  }

  private void loadAndKill(FatJar version, String xml, int life) throws Exception {
    List<AtomicLong> offered = new ArrayList<>();
    List<Thread> clients = new ArrayList<>();
    try (BootProcess boot =
        BootProcess.start(version.path(), places.root().resolve("output"), xml)) {
      for (int client = 0; client < CLIENTS; client++) {
        offered.add(new AtomicLong());
        clients.add(client(boot, "life" + life + "-" + client, offered.get(client)));
      }
      for (AtomicLong count : offered) {
        Await.until("under load", () -> count.get() >= BEFORE_THE_KILL);
      }
      Await.pass(Duration.ofMillis(random.nextInt(LONGEST_LIFE_MS)));
      assertThat(boot.isAlive()).as(boot.output()).isTrue();
      boot.kill();
    } finally {
      for (Thread client : clients) {
        client.join();
      }
    }
    for (int client = 0; client < CLIENTS; client++) {
      oracle.producer("life" + life + "-" + client, 0, offered.get(client).get());
    }
  }

  @ParameterizedTest
  @MethodSource("dev.forebay.it.framework.FatJar#wanted")
  void theNextStartShipsWhatWasSpooledExactlyOnce(FatJar version) throws Exception {
    // The log is forced seldom, so that what is spooled is not yet settled when the kill comes.
    String xml = BootXml.option(places, BootXml.tiered(places, "<fsync>1 second</fsync>"));
    for (int life = 0; life < LIVES; life++) {
      live(version, xml, life);
    }
    try (BootProcess boot =
        BootProcess.start(version.path(), places.root().resolve("output"), xml)) {
      boot.log("fresh", 0, 1);
      BootProcess.Account account = boot.flushedAccounts().get("LOG");
      assertThat(account.delivered()).isEqualTo(account.offered());
      assertThat(boot.problems()).isEmpty();
      assertThat(boot.terminate()).isEqualTo(BootProcess.TERMINATED);
    }
    Oracle.Verdict verdict =
        oracle.producer("fresh", 1, 1).requireSound(BootXml.ours(places.lines()));
    assertThat(verdict.lineCount()).isGreaterThan((long) LIVES * BEFORE_THE_KILL);
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    Figures.record(
        "lost-by-kills.txt",
        "%s on %s: %d kills, %d lines, %d only in spools; seed %d",
        version,
        Runtime.version().feature(),
        LIVES,
        verdict.lineCount(),
        spooledOnly,
        seed);
  }
}
