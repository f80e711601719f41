package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Children for other users, played by shell scripts. */
@Timeout(value = 120, unit = TimeUnit.SECONDS)
class NodeShippingTest {

  private static final int UID = 4712;
  private static final int GID = 4713;
  private static final long MINUTE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(60);

  /** Answers each question as a child that has one log does. */
  private static final String ANSWERS =
      """
      while read question; do
        printf '\\001log\\tSHIPPING\\t12\\t0\\t0\\t3\\t1500\\tUSER/key\\t/var/log/a.log\\t\\n\\001end\\n'
      done
      """;

  private final List<String> said = Collections.synchronizedList(new ArrayList<>());
  private final List<SpoolUsers.User> started = new ArrayList<>();
  private final AtomicLong nowNs = new AtomicLong();
  private final Messages messages = new Messages(said::add);
  private final ShipRig own = new ShipRig();
  private String script = ANSWERS;
  private boolean hasSetpriv = true;
  @TempDir private Path base;
  private NodeShipping node;

  @BeforeEach
  void create() throws IOException {
    own.isDrained = true;
    base = base.toRealPath();
    node =
        new NodeShipping(
            own, new SpoolUsers(List.of(base), said::add), this::start, messages, nowNs::get);
  }

  private Process start(SpoolUsers.User user) throws IOException {
    if (!hasSetpriv) {
      throw new IOException("Cannot run program \"setpriv\"");
    }
    started.add(user);
    String text = script.replace("USER", user.directories().get(0).toString());
    return new ProcessBuilder("sh", "-c", text).redirectErrorStream(true).start();
  }

  @AfterEach
  void close() throws InterruptedException {
    node.close(PATIENCE_NS);
    messages.close(60_000);
  }

  private Path user() throws IOException {
    return user(UID);
  }

  private Path user(int uid) throws IOException {
    assumeTrue(Files.getAttribute(base, "unix:uid").equals(0), "no root");
    Path user = base.resolve("forebay-" + uid);
    Files.createDirectory(
        user, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    Files.setAttribute(user, "unix:uid", uid);
    Files.setAttribute(user, "unix:gid", GID);
    return user;
  }

  private static void await(String what, BooleanSupplier isSo) {
    assertThat(NanoClock.SYSTEM.await(isSo, PATIENCE_NS)).as(what).isTrue();
  }

  @Test
  void eachUserHasAChildWhoseLogsAreOurs() throws IOException {
    Path user = user();
    own.set(ShipRig.log("own", 1, 0));
    node.look();
    assertThat(started)
        .containsExactly(new SpoolUsers.User(UID, "4712", false, GID, List.of(user)));
    await("answered", () -> node.logs().size() == 2);
    assertThat(node.logs().get(1))
        .isEqualTo(
            new ShippedLog(
                "/var/log/a.log",
                user.resolve("key"),
                ShippedLog.State.SHIPPING,
                12,
                0,
                0,
                3,
                1500,
                ""));
    assertThat(node.missing()).isZero();
    assertThat(node.hasLooked()).isTrue();
    assertThat(node.isDrained()).as("the child does not say so").isFalse();
    node.look();
    assertThat(started).hasSize(1);
  }

  @Test
  void aUserThatComesLaterIsNoticedAndOneThatGoesNeedsNoChild() throws IOException {
    node.look();
    assertThat(started).isEmpty();
    assertThat(node.isDrained()).isTrue();
    Path user = user();
    node.look();
    await("answered", () -> node.logs().size() == 1);
    Files.delete(user);
    nowNs.addAndGet(MINUTE_NS - 1);
    node.look();
    assertThat(node.logs()).hasSize(1);
    nowNs.addAndGet(1);
    node.look();
    await(
        "ended",
        () -> {
          node.look();
          return node.logs().isEmpty();
        });
    assertThat(said).isEmpty();
  }

  /** Who has subordinate ids can make directories of 65,536 users. */
  @Test
  void usersWithoutNumberTakeTheirPlaceFromNobodyAndNotTheMemory() throws IOException {
    script = "exit 1";
    user();
    await(
        "ended",
        () -> {
          node.look();
          return !said.isEmpty();
        });
    script = ANSWERS;
    for (int i = 0; i < NodeShipping.MOST_USERS; i++) {
      user(100_000 + i);
    }
    int account = 65_534; // nobody
    user(account);
    nowNs.addAndGet(MINUTE_NS / 2);
    for (int i = 0; i < NodeShipping.MOST_USERS; i++) {
      node.look();
    }
    List<Integer> ids = started.stream().map(SpoolUsers.User::id).toList();
    assertThat(ids).hasSize(1 + NodeShipping.MOST_USERS).contains(account);
    assertThat(ids).filteredOn(id -> id == UID).as("the second is in its place").hasSize(2);
    await("looked", node::hasLooked);
    assertThat(node.missing()).isEqualTo(2);
    await("said", () -> said.size() == 2);
    assertThat(said.get(1)).contains("leave those of 2 to their applications");
  }

  @Test
  void itIsDrainedWhenAllChildrenAre() throws IOException {
    user();
    script = "while read question; do printf '\\001drained\\n\\001end\\n'; done";
    node.look();
    await("looked", node::hasLooked);
    assertThat(node.isDrained()).isTrue();
    own.isDrained = false;
    assertThat(node.isDrained()).isFalse();
  }

  @Test
  void whatAChildSaysIsPassedOnWithItsUserAndBelievedOnlyOfItsUser() throws IOException {
    user();
    script =
        """
        echo 'forebay: WARN hello'
        printf 'esc \\033[2J\\n'
        printf '\\001log\\tSHIPPING\\t1\\t0\\t0\\t0\\t0\\t/dev/shm/forebay-1/key\\t/etc/passwd\\t\\n'
        printf '\\001log\\tSHIPPING\\t1\\t0\\t0\\t0\\t0\\tUSER/../forebay-1/key\\tx\\t\\n'
        printf '\\001log\\tSHIPPING\\tx\\t0\\t0\\t0\\t0\\tUSER/key\\tx\\t\\n'
        printf '\\001log\\n\\001end\\n'
        read question; read end
        """;
    node.look();
    await("answered", node::hasLooked);
    assertThat(node.logs()).isEmpty();
    await("said", () -> said.size() == 2);
    assertThat(said).containsExactly("user 4712: WARN hello", "user 4712: esc ?[2J");
  }

  @Test
  void aChildThatPrintsWithoutEndIsBounded() throws IOException {
    user();
    script =
        "head -c 1000000 /dev/zero | tr '\\0' x; echo; i=0; while [ $i -lt 100000 ]; do echo m$i; i=$((i+1)); done; read end";
    node.look();
    await("said", () -> said.size() == 60);
    await( // what is printed meanwhile may come before that
        "counted",
        () -> {
          nowNs.addAndGet(MINUTE_NS);
          node.look();
          return List.copyOf(said).stream()
              .anyMatch(text -> text.matches("user 4712: [\\d,]+ messages in a minute left out"));
        });
    assertThat(List.copyOf(said)).allSatisfy(text -> assertThat(text).hasSizeLessThan(17 * 1024));
  }

  @Test
  void aChildThatEndsIsStartedAgainAfterAPauseThatGrows() throws IOException {
    user();
    script = "exit 3";
    List<Long> startedNs = new ArrayList<>();
    for (long ms = 0; ms < 200_000; ms += 1000) {
      nowNs.set(ms * 1_000_000);
      int before = started.size();
      await("ended", () -> node.missing() == 1 || node.hasLooked());
      node.look();
      if (started.size() > before) {
        startedNs.add(ms / 1000);
        await("it ends", () -> node.missing() == 1);
        awaitEnd();
      }
    }
    // Each end is seen at the look after it; from then on 2, 4, 8 … at most 60 s.
    assertThat(startedNs).containsExactly(0L, 3L, 8L, 17L, 34L, 67L, 128L, 189L);
    assertThat(said.get(0))
        .isEqualTo(
            "WARN the process that ships for user 4712 ended with exit code 3; the next one starts in 2 s");
  }

  private void awaitEnd() {
    await("no child", () -> ProcessHandle.current().children().noneMatch(ProcessHandle::isAlive));
  }

  @Test
  void withoutSetprivOneMessageNamesIt() throws IOException {
    user();
    hasSetpriv = false;
    for (int i = 0; i < 10; i++) {
      node.look();
      nowNs.addAndGet(MINUTE_NS / 2);
    }
    await("said", () -> !said.isEmpty());
    assertThat(said).hasSize(1).first().asString().contains("setpriv, of util-linux, is needed");
    assertThat(node.missing()).isEqualTo(1);
    assertThat(node.hasLooked()).as("at what it can").isTrue();
    assertThat(node.isDrained()).isFalse();
    hasSetpriv = true;
    nowNs.addAndGet(MINUTE_NS);
    node.look();
    assertThat(started).hasSize(1);
  }

  @Test
  void onlyAPrivateDirectoryOfTheUserThatItsNameSaysCounts() throws IOException {
    Path user = user();
    Path open = Files.createDirectory(base.resolve("forebay-" + UID + "-0123456789abcdef"));
    Files.setAttribute(open, "unix:uid", UID);
    Files.setAttribute(open, "unix:mode", 0750);
    Path foreign = Files.createDirectory(base.resolve("forebay-1"));
    Files.setAttribute(foreign, "unix:uid", UID);
    Files.createSymbolicLink(base.resolve("forebay-2"), user);
    Path file = Files.createFile(base.resolve("forebay-3"));
    Files.setAttribute(file, "unix:uid", 3);
    Files.createDirectory(base.resolve("forebay-0"));
    Files.createDirectory(base.resolve("forebay-x"));
    node.look();
    node.look();
    assertThat(started)
        .hasSize(1)
        .first()
        .extracting(SpoolUsers.User::directories)
        .isEqualTo(List.of(user));
    assertThat(said)
        .hasSize(5)
        .anyMatch(text -> text.contains(open + ", which has mode 0750 instead of 0700"))
        .anyMatch(text -> text.contains(foreign + ", which belongs to user 4712"))
        .anyMatch(text -> text.contains("forebay-2, which is no directory"))
        .anyMatch(text -> text.contains(file + ", which is no directory"));
  }

  @Test
  void rightsAreThoseOfTheUserAndNeverRootsGroup() {
    assertThat(UserProcesses.rights(new SpoolUsers.User(7, "7 (x)", true, 8, List.of())))
        .containsExactly(
            "setpriv",
            "--reuid=7",
            "--regid=8",
            "--init-groups",
            "--inh-caps=-all",
            "--no-new-privs",
            "--");
    assertThat(UserProcesses.rights(new SpoolUsers.User(7, "7", false, 0, List.of())))
        .contains("--regid=7", "--clear-groups");
  }

  @Test
  void aChildIsStartedAsThisProgramWas() {
    List<String> line = List.of("java", "-Xmx9m", "-jar", "f.jar", "ship", "--once", "");
    assertThat(UserProcesses.program(line, 2))
        .hasSize(4)
        .endsWith("-Xmx9m", "-jar", "f.jar")
        .first()
        .asString()
        .startsWith("/");
  }
}
