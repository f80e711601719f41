package dev.forebay.it.otlp;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.otlp.Receiver.Received;
import dev.forebay.it.support.Child;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * One program through many lives, each ended by kill -9 at a random moment: the application's, the
 * collector's, both.
 */
@Tag("otlp")
@Tag("nightly")
class OtlpKillsIT {

  private static final int LIVES = Integer.getInteger("forebay.otlp.lives", 12);
  private static final int LONGEST_MS = 700;
  private static final int LAST = 10;

  /** Records of a request, at most. */
  private static final int REQUEST = 8192;

  private static final String DURABLE =
      "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>";

  /** How an application dies. */
  private enum Dying {
    ALONE,
    AFTER_THE_COLLECTOR,
    WITHOUT_THE_COLLECTOR,
    UNANSWERED
  }

  private final long seed = Long.getLong("forebay.kill.seed", System.nanoTime());
  private final Random random = new Random(seed);
  private final Oracle oracle = new Oracle();
  @AutoClose private final Places places = Places.create();
  private int kills;

  @BeforeEach
  void tellSeed() {
    System.out.println("-Dforebay.kill.seed=" + seed);
  }

  @Test
  @Timeout(value = 1, unit = TimeUnit.HOURS)
  void eachEventIsThereAndAKillRepeatsOneRequestAtMost() throws Exception {
    try (Receiver receiver = Receiver.in(places).start()) {
      for (int life = 0; life < LIVES; life++) {
        live(life, receiver);
      }
      try (Child last = start(receiver, new Child.Task("last", 1, LAST, LAST, 0, "stop"))) {
        assertThat(last.awaitEnd()).as(last.output()).isZero();
        assertThat(last.status()).isEmpty();
        last.tell(oracle);
      }
      requireEach(receiver.records());
    }
  }

  private void live(int life, Receiver receiver) throws Exception {
    var task = new Child.Task("life" + life, 2, Long.MAX_VALUE, Child.EACH_CALL, 3, "released");
    try (Child child = start(receiver, task)) {
      child.awaitOffered(0, 1);
      passRandomTime();
      Dying dying = Dying.values()[life % Dying.values().length];
      if (dying == Dying.UNANSWERED) {
        receiver.program().signal("STOP");
        passRandomTime();
      } else if (dying != Dying.ALONE) {
        receiver.kill();
        kills++;
        passRandomTime();
      }
      if (dying == Dying.AFTER_THE_COLLECTOR) {
        receiver.start();
        passRandomTime();
      }
      assertThat(child.isAlive()).as(child.output()).isTrue();
      child.kill();
      kills++;
      child.tell(oracle);
      if (dying == Dying.WITHOUT_THE_COLLECTOR) {
        receiver.start();
      } else if (dying == Dying.UNANSWERED) {
        receiver.program().signal("CONT"); // it may take the request that the dead one sent
      }
    }
  }

  private void passRandomTime() {
    Await.pass(Duration.ofMillis(20L + random.nextInt(LONGEST_MS)));
  }

  private Child start(Receiver receiver, Child.Task task) throws Exception {
    Path service = places.root().resolve("service"); // a program is known by it
    Path reports = Files.createDirectories(service.resolve(task.name()));
    String xml = Xml.configuration(receiver.elements() + DURABLE);
    Path destination =
        Path.of(
            Class.forName("dev.forebay.otlp.OtlpDestination")
                .getProtectionDomain()
                .getCodeSource()
                .getLocation()
                .toURI());
    List<String> options = List.of("-cp", Child.classPath() + File.pathSeparator + destination);
    return Child.startWith(options, task, xml, reports, "sh", "-c", "cd ..; exec \"$@\"", "sh");
  }

  private void requireEach(List<Received> records) throws IOException {
    Map<String, String> bodies = new HashMap<>();
    List<String> once = new ArrayList<>();
    int requests = 0;
    int ofRequest = 0;
    String next = ""; // uid of the record that follows within a repeated request
    for (Received record : records) {
      String before = bodies.putIfAbsent(record.uid(), record.body());
      if (before == null) {
        once.add(record.body());
        next = "";
        continue;
      }
      assertThat(record.body()).as(record.uid()).isEqualTo(before);
      if (!record.uid().equals(next)) {
        requests++;
        ofRequest = 0;
      }
      ofRequest++;
      assertThat(ofRequest).as("repeated, with seed " + seed).isLessThanOrEqualTo(REQUEST);
      next = successor(record.uid());
    }
    System.out.printf(
        "%d kills, %d events, %d repeated, in %d requests%n",
        kills, once.size(), records.size() - once.size(), requests);
    assertThat(requests).as("requests repeated, with seed " + seed).isLessThanOrEqualTo(kills);
    oracle.requireSound(once);
  }

  /** Of the next record of the same spool. */
  private static String successor(String uid) {
    int hyphen = uid.lastIndexOf('-');
    return uid.substring(0, hyphen + 1) + (Long.parseLong(uid.substring(hyphen + 1)) + 1);
  }
}
