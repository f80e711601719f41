package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

@Tag("once")
class MountTableTest {

  private static final String TABLE =
      """
      1 1 0:2 / / rw - rootfs rootfs rw
      27 1 254:0 / / rw - ext4 /dev/vda rw
      30 27 8:1 / /data rw shared:1 - ext4 /dev/sda1 rw
      31 27 254:0 /srv/one /bound rw - ext4 /dev/vda rw
      32 27 8:3 / /two rw - ext4 /dev/sda3 rw
      33 32 8:4 / /two rw - ext4 /dev/sda4 rw
      34 27 8:5 / /var/log/app rw - ext4 /dev/sda5 rw
      35 27 8:6 / /var/log rw - ext4 /dev/sda6 rw
      36 35 8:7 / /var/log/web rw - ext4 /dev/sda7 rw
      37 27 8:8 /a\\134b /my\\040logs rw - ext4 /dev/sda8 rw
      38 27 0:25 / /dev/shm rw shared:4 - tmpfs tmpfs rw,size=1g
      39 38 8:9 / /dev/shm/disk rw - ext4 /dev/sda9 rw
      40 27 0:26 / /ram rw - ramfs none rw
      """;

  private static String find(String table, String path) {
    return new MountTable(table).find(Path.of(path));
  }

  @ParameterizedTest
  @CsvSource({
    "/srv/app.log, 254:0 /srv/app.log", // the second root hides the first
    "/, 254:0 /",
    "/data/app.log, 8:1 /app.log",
    "/data, '8:1 '",
    "/database/app.log, 254:0 /database/app.log",
    "/bound/app.log, 254:0 /srv/one/app.log", // it is where it comes from
    "/two/app.log, 8:4 /app.log", // the upper one is seen
    "/var/log/app/app.log, 8:6 /app/app.log", // a later mount hides what was below its point
    "/var/log/web/app.log, 8:7 /app.log",
    "/my logs/app.log, 8:8 /a\\b/app.log"
  })
  void aPathIsInTheMountThatIsSeenThere(String path, String found) {
    assertThat(find(TABLE, path)).isEqualTo(found);
  }

  @ParameterizedTest
  @CsvSource({"/dev/shm/a, true", "/ram, true", "/dev/shm/disk/a, false", "/dev/a, false"})
  void whatTheInnermostMountKeepsInMemoryIsTold(String path, boolean isInMemory) {
    assertThat(new MountTable(TABLE).isInMemory(Path.of(path))).isEqualTo(isInMemory);
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "30 27 8:1 / /log rw - ext4 /dev/sda1 rw\n", "junk\n\n1 2\n"})
  void whereNoMountHoldsThePathThereIsNone(String table) {
    assertThat(find(table, "/app.log")).isNull();
    assertThat(new MountTable(table).isInMemory(Path.of("/a"))).isFalse();
  }
}
