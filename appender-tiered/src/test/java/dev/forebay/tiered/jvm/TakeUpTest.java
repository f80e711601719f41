package dev.forebay.tiered.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.lang.reflect.Proxy;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Two file systems in memory, {@code /one} and {@code /two}, and a disk. */
@Tag("once")
class TakeUpTest {

  private static final Path OURS = Path.of("/one/log/jvm-1");
  private static final int USER = 1000;

  private final List<String> warnings = new ArrayList<>();

  private static Disk disk() {
    return (Disk)
        Proxy.newProxyInstance(
            Disk.class.getClassLoader(),
            new Class<?>[] {Disk.class},
            (proxy, method, arguments) ->
                switch (method.getName()) {
                  case "isInMemory" -> !((Path) arguments[0]).startsWith("/disk");
                  case "stat" -> info((Path) arguments[0]);
                  case "userId" -> USER;
                  default -> throw new AssertionError(method);
                });
  }

  /** Only what is called {@code shared} or {@code foreign} is open to others. */
  private static @Nullable FileInfo info(Path path) {
    String key = "(dev=%s,ino=%d)".formatted(path.getName(0), path.hashCode() & 0xffff);
    if (path.toString().endsWith(".log")) {
      return switch (path.getFileName().toString()) {
        case "link.log" -> new FileInfo(FileInfo.Kind.LINK, 0, key, USER, 0777, 1, 0);
        case "foreign.log" -> new FileInfo(FileInfo.Kind.FILE, 0, key, USER + 1, 0600, 1, 0);
        default -> null; // it is just rotated
      };
    }
    int owner = path.endsWith("foreign") ? USER + 1 : USER;
    int mode = path.endsWith("shared") ? 01777 : 0700;
    return new FileInfo(FileInfo.Kind.DIRECTORY, 0, key, owner, mode, 2, 0);
  }

  private @Nullable UlOutput find(String... outputs) throws Exception {
    StringBuilder list = new StringBuilder(" #0: stdout all=warning uptime,level,tags\n");
    for (String output : outputs) {
      list.append(" #2: file=").append(output).append("\n");
    }
    return UlOutput.find(VmLogOutput.parse(list.toString()), disk(), OURS, warnings::add);
  }

  @Test
  void theOneInMemoryIsFoundWithItsOptions() throws Exception {
    UlOutput found =
        find(
            "/disk/gc.log all=off,gc*=info uptime,level,tags"
                + " filecount=5,filesize=20480K,async=false",
            "/one/a b/gc.log all=off,gc=debug utctime,level"
                + " filecount=12,filesize=8192B,async=false",
            "/one/debug.log all=off,gc=trace utctime,level"
                + " filecount=0,filesize=20480K,async=false");
    assertThat(found).isNotNull();
    assertThat(found.file()).isEqualTo(Path.of("/one/a b/gc.log"));
    assertThat(found.rotation()).isEqualTo(new Rotation(12, 8192));
    assertThat(found.decorators()).isEqualTo("utctime,level");
    assertThat(found.isOurs()).isFalse();
    assertThat(warnings).isEmpty();
  }

  /** In a directory of others they may plant a pipe or a file under the name of an archive. */
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "/two/gc.log         | another file system than <spoolDirectory> /one/log",
        "/one/shared/gc.log  | /one/shared belongs to user 1000 and has mode 1777",
        "/one/foreign/gc.log | belongs to user 1001",
        "/one/link.log       | since it is",
        "/one/foreign.log    | since it is",
        "/one/gc-%t.log      | than %p",
      })
  void anOutputThatOthersMayChangeOrThatCannotBeLinkedIsAWarning(String file, String why)
      throws Exception {
    assertThat(find(file + " gc=debug level filecount=5,filesize=1M,async=false")).isNull();
    assertThat(warnings).singleElement().asString().contains("file=" + file, why);
    if (why.contains("belongs")) {
      assertThat(warnings.get(0)).contains("of user 1000 with mode 0700", "mkdir -m 700");
    }
  }

  @Test
  void theProcessInANameIsKnown() throws Exception {
    UlOutput found = find("/one/gc-%p.log gc*=info level filecount=5,filesize=20480K,async=false");
    assertThat(found).isNotNull();
    assertThat(found.file()).hasFileName("gc-" + ProcessHandle.current().pid() + ".log");
    assertThat(warnings).isEmpty();
  }

  @Test
  void noneIsNoWarning() throws Exception {
    assertThat(find("/disk/gc.log gc*=info uptime filecount=5,filesize=20480K,async=false"))
        .isNull();
    assertThat(find()).isNull();
    assertThat(find("/one/x/jvm.log gc*=info uptime filecount=5,filesize=20480K,async=false"))
        .as("one of ours that could not be closed")
        .isNull();
    assertThat(warnings).isEmpty();
  }

  @Test
  void archivesHaveNumbersOfOneLength() {
    Path log = Path.of("/one/gc.log");
    assertThat(UlFiles.archive(log, 10, 9)).hasFileName("gc.log.9");
    assertThat(UlFiles.archive(log, 11, 9)).hasFileName("gc.log.09");
    assertThat(UlFiles.archive(log, 11, 10)).hasFileName("gc.log.10");
    assertThat(UlFiles.archive(log, 1, 0)).hasFileName("gc.log.0");
  }
}
