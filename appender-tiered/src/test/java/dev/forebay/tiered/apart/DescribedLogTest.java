package dev.forebay.tiered.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.TimeLimit;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolLock;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Logs that cannot be shipped from here, so that their applications have to do it. */
@Tag("once")
class DescribedLogTest {

  private static final long LONG_NS = 60_000_000_000L;

  @TempDir Path dir;

  private final Disk disk = new NioDisk();
  private final List<String> told = new ArrayList<>();
  private SpoolDirectory directory;
  private Spool spool;
  private DescribedLog described;
  private Watch watch;

  enum Fault {
    DAMAGED("is damaged"),
    NEWER("is of version 2"),
    SECOND_NAME("has 2 hard links"),
    LINK("is a symbolic link"),
    ELSEWHERE("leads to another place"),
    WITHOUT_KIND("kind"),
    UNKNOWN_KIND("put the jar forebay-cassette");

    final String said;

    Fault(String said) {
      this.said = said;
    }

    void putAt(Path file, Path log) throws IOException {
      byte[] whole = Files.readAllBytes(file);
      switch (this) {
        case DAMAGED -> Files.write(file, new byte[] {'f'});
        case NEWER -> Files.writeString(file, "forebay description 2\nwhatever\n");
        case SECOND_NAME -> Files.createLink(file.resolveSibling("x"), file);
        case LINK -> {
          Path target = file.resolveSibling("x");
          Files.delete(file);
          Files.write(target, whole);
          Files.createSymbolicLink(file, target);
        }
        case ELSEWHERE -> Files.write(file, of(log.resolveSibling("b.log"), "file"));
        case WITHOUT_KIND ->
            Files.write(file, new Description(Map.of("log", log.toString())).encode());
        case UNKNOWN_KIND -> Files.write(file, of(log, "cassette"));
      }
    }
  }

  private static byte[] of(Path log, String kind) {
    Map<String, String> values =
        Map.of(
            "log",
            log.toString(),
            "kind",
            kind,
            "fsync",
            "never",
            "file",
            log.toString(),
            "append",
            "true");
    return new Description(values).encode();
  }

  @BeforeEach
  void begin() throws IOException {
    Path log = dir.resolve("a.log");
    Path base = Files.createDirectory(dir.resolve("shm"));
    directory = SpoolDirectory.open(disk, base, LogIdentity.unresolved(disk, log));
    spool = directory.createDescribed(new SpoolLimits(64 * 1024, 256), of(log, "file"));
    ShipService service = new ShipService(disk, List.of(base), told::add);
    described = new DescribedLog(service, directory);
    watch = new Watch(() -> {}, (changed, names) -> {}, told::add, NanoClock.SYSTEM);
  }

  @AfterEach
  void close() {
    watch.close();
    spool.close();
  }

  private Path description() {
    return spool.path().resolve(SpoolNames.DESCRIPTION);
  }

  @ParameterizedTest
  @EnumSource
  void whatCannotBeShippedIsSaidOnceAndLeftToItsApplication(Fault fault) throws IOException {
    fault.putAt(description(), dir.resolve("a.log"));
    for (int i = 0; i < 3; i++) {
      assertThat(described.look(watch, true)).as("is listed").isTrue();
    }

    assertThat(told).hasSize(1);
    assertThat(told.get(0)).contains(" is not shipped: ").contains(fault.said);
    assertThat(described.isShippable()).isFalse();
    assertThat(described.facts().state()).isEqualTo(ShippedLog.State.REFUSED);
    assertThat(described.facts().fault()).contains(fault.said);
    assertThat(dir.resolve("a.log")).doesNotExist();
    try (SpoolLock free = directory.tryShipLock()) {
      assertThat(free).as("the lock by which its application ships").isNotNull();
    }
  }

  @Test
  void aNewerDescriptionThatCannotBeReadEndsNothing() throws IOException {
    assertThat(described.look(watch, true)).isTrue();
    assertThat(told).isEmpty();
    Fault.DAMAGED.putAt(description(), dir.resolve("a.log"));
    for (int i = 0; i < 3; i++) {
      assertThat(described.look(watch, true)).as("is listed").isTrue();
    }

    assertThat(told)
        .singleElement()
        .asString()
        .startsWith(dir.resolve("a.log") + " is shipped as before: ")
        .contains(Fault.DAMAGED.said);
    assertThat(described.isShippable()).isTrue();
    described.requestStop();
    described.join(new TimeLimit(NanoClock.SYSTEM, LONG_NS));
  }
}
