package dev.forebay.tiered.disk;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("once")
class MountTableTest {

  private static final String ROOT = "27 1 254:0 / / rw - ext4 /dev/vda rw\n";

  private static String find(String table, String path) {
    return new MountTable(table).find(Path.of(path));
  }

  @Test
  void aPathOutsideOfAllOthersIsInTheFirstMount() {
    assertThat(find(ROOT, "/var/log/app.log")).isEqualTo("254:0 /var/log/app.log");
    assertThat(find(ROOT, "/")).isEqualTo("254:0 /");
  }

  @Test
  void aMountedFileSystemBeginsAtItsPoint() {
    String table = ROOT + "30 27 8:1 / /var/log rw shared:1 - ext4 /dev/sda1 rw\n";

    assertThat(find(table, "/var/log/app.log")).isEqualTo("8:1 /app.log");
    assertThat(find(table, "/var/log")).isEqualTo("8:1 ");
    assertThat(find(table, "/var/logs/app.log")).isEqualTo("254:0 /var/logs/app.log");
  }

  @Test
  void aBoundDirectoryIsWhereItComesFrom() {
    String table = ROOT + "30 27 254:0 /srv/one /var/log/app rw - ext4 /dev/vda rw\n";

    assertThat(find(table, "/var/log/app/app.log"))
        .isEqualTo(find(ROOT, "/srv/one/app.log"))
        .isNotEqualTo(find(ROOT, "/var/log/app/app.log"));
  }

  @Test
  void ofTwoMountsOnOnePointTheUpperOneIsSeen() {
    String table =
        ROOT
            + "30 27 8:1 / /log rw - ext4 /dev/sda1 rw\n"
            + "31 30 8:2 / /log rw - ext4 /dev/sdb1 rw\n";

    assertThat(find(table, "/log/app.log")).isEqualTo("8:2 /app.log");
  }

  @Test
  void aMountHidesThoseThatWereBelowItsPoint() {
    String table =
        ROOT
            + "30 27 8:1 / /var/log/app rw - ext4 /dev/sda1 rw\n"
            + "31 27 8:2 / /var/log rw - ext4 /dev/sdb1 rw\n"
            + "32 31 8:3 / /var/log/web rw - ext4 /dev/sdc1 rw\n";

    assertThat(find(table, "/var/log/app/app.log")).isEqualTo("8:2 /app/app.log");
    assertThat(find(table, "/var/log/web/app.log")).isEqualTo("8:3 /app.log");
  }

  @Test
  void aRootThatHidesAnotherIsSeen() {
    String first = "1 1 0:2 / / rw - rootfs rootfs rw\n";
    String table = first + "27 1 8:1 / / rw - ext4 /dev/sda1 rw\n";

    assertThat(find(table, "/app.log")).isEqualTo("8:1 /app.log");
  }

  @Test
  void spacesInNamesAreWrittenInOctal() {
    String table = ROOT + "30 27 8:1 /a\\134b /my\\040logs rw - ext4 /dev/sda1 rw\n";

    assertThat(find(table, "/my logs/app.log")).isEqualTo("8:1 /a\\b/app.log");
  }

  @Test
  void whatTheInnermostMountKeepsInMemoryIsTold() {
    String table =
        ROOT
            + "30 27 0:25 / /dev/shm rw shared:4 - tmpfs tmpfs rw,size=1g\n"
            + "31 30 8:1 / /dev/shm/disk rw - ext4 /dev/sda1 rw\n"
            + "32 27 0:26 / /ram rw - ramfs none rw\n";

    MountTable mounts = new MountTable(table);
    assertThat(mounts.isInMemory(Path.of("/dev/shm/a"))).isTrue();
    assertThat(mounts.isInMemory(Path.of("/ram"))).isTrue();
    assertThat(mounts.isInMemory(Path.of("/dev/shm/disk/a"))).isFalse();
    assertThat(mounts.isInMemory(Path.of("/dev/a"))).isFalse();
    assertThat(new MountTable("").isInMemory(Path.of("/a"))).isFalse();
  }

  @Test
  void whereNoMountHoldsThePathThereIsNone() {
    assertThat(find("", "/app.log")).isNull();
    assertThat(find("30 27 8:1 / /log rw - ext4 /dev/sda1 rw\n", "/app.log")).isNull();
    assertThat(find("junk\n\n1 2\n", "/app.log")).isNull();
  }

  @Test
  void thisSystemHasMounts() {
    assertThat(MountTable.read().find(Path.of("/proc/self/status")))
        .isEqualTo(MountTable.read().find(Path.of("/proc")) + "/self/status");
  }
}
