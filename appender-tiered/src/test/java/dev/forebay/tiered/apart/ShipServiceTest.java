package dev.forebay.tiered.apart;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.spool.Spool;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolHead;
import dev.forebay.tiered.spool.SpoolLimits;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What a service does when a directory that it watches changes. */
@Tag("once")
class ShipServiceTest {

  private static final SpoolLimits LIMITS = new SpoolLimits(1 << 20, 64 * 1024);

  @TempDir Path dir;
  private final Disk disk = new NioDisk();
  private final List<String> told = new CopyOnWriteArrayList<>();

  private Description description(String fsync) {
    Map<String, String> values = new HashMap<>();
    values.put("log", dir.resolve("app.log").toString());
    values.put("kind", "file");
    values.put("fsync", fsync);
    values.put("zone", "UTC");
    values.put("header", "");
    values.put("footer", "");
    values.put("lineEnd", "0a");
    values.put("file", dir.resolve("app.log").toString());
    values.put("append", "true");
    return new Description(values);
  }

  /** Its directory is seen before its head is there: then that is news, and later ones are not. */
  @Test
  void aSpoolIsLookedAtAgainOnceItHasAHead() throws IOException {
    Path base = Files.createDirectory(dir.resolve("shm"));
    LogIdentity log = LogIdentity.unresolved(disk, dir.resolve("app.log"));
    SpoolDirectory spools = SpoolDirectory.open(disk, base, log);
    try (ShipService service =
        new ShipService(
            disk,
            List.of(base),
            new Voice() {
              @Override
              public void info(String text) {
                told.add(text);
              }

              @Override
              public void warn(String text) {
                told.add(text);
              }
            })) {
      Spool older = spools.createDescribed(LIMITS, description("always").encode());
      service.look(false);
      assertThat(service.logs()).hasSize(1);

      Spool newer = spools.createSpool(LIMITS);
      service.changed(spools.path(), Set.of(newer.path().getFileName().toString()));
      assertThat(told).isEmpty();

      Files.write(newer.path().resolve(SpoolNames.DESCRIPTION), description("never").encode());
      disk.open(newer.path().resolve(SpoolHead.NAME), Disk.Mode.CREATE_PRIVATE).close();
      service.changed(newer.path(), Set.of(SpoolHead.NAME));
      assertThat(told).hasSize(1).first().asString().contains("described in another way");
      service.changed(newer.path(), Set.of(SpoolHead.NAME));
      assertThat(told).hasSize(1);
      older.close();
      newer.close();
    }
  }
}
