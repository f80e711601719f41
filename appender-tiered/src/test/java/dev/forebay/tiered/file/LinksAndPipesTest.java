package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.lang.reflect.InvocationHandler;
import java.lang.reflect.Proxy;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand at the log file's path, and what of it is followed or opened. */
class LinksAndPipesTest {
  private final LogUnderTest build = new LogUnderTest(new LoggerContext());
  @TempDir Path dir;

  private Path file() {
    return dir.resolve("app.log");
  }

  @Test
  void neitherPipesNorLinksAreOpenedForReading() throws Exception {
    Path pipe = dir.resolve("pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    Files.createSymbolicLink(dir.resolve("link"), dir.resolve("pipe"));
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    assertThat(log.find(new Position(build.disk.stat(pipe).key(), 0), Disk.Mode.READ)).isNull();
    String linkKey = build.disk.stat(dir.resolve("link")).key();
    assertThat(log.find(new Position(linkKey, 0), Disk.Mode.READ)).isNull();
  }

  @Test
  void pipeAsLogFileIsRefused() throws Exception {
    assertThat(new ProcessBuilder("mkfifo", file().toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> build.plain(file(), true).open())
        .hasMessageContaining("app.log is not a regular file");
  }

  @Test
  void linkOfOursIsWrittenThrough() throws IOException {
    Path target = Files.createDirectory(dir.resolve("real")).resolve("target.log");
    Files.createSymbolicLink(file(), Path.of("real/target.log"));
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "x\n");
    assertThat(target).hasContent("x");
    assertThat(log.isUndisturbed()).isTrue();

    Files.delete(file());
    Files.createSymbolicLink(file(), Path.of("real/other.log"));
    assertThat(log.isUndisturbed()).isFalse();
  }

  /** As the kernel resolves it, and so Logback's policies. */
  @Test
  void theParentOfALinkIsThatOfItsTarget() throws IOException {
    Files.createDirectories(dir.resolve("releases/1"));
    Files.createSymbolicLink(dir.resolve("current"), Path.of("releases/1"));
    String logs = dir + "/current/../logs/";
    RollingLog log =
        LogUnderTest.started(
            build.rolling(
                logs + "app.log",
                build.bySizeAndTime(
                    build.parent(logs + "app.log"), logs + "app.%d.%i.log.gz", "100", 0),
                "",
                ""));
    LogUnderTest.ship(log, LogUnderTest.records(0, 20), 50);
    build.awaitArchiving();
    LogUnderTest.stop(log);

    assertThat(LogUnderTest.files(dir.resolve("releases/logs")))
        .containsKeys("app.log", "app.1970-01-01.0.log.gz")
        .allSatisfy((name, content) -> assertThat(name).startsWith("app."));
    assertThat(dir.resolve("logs")).doesNotExist();
    assertThat(build.warnings).isEmpty();
  }

  @Test
  void linkOfAStrangerIsRefused() throws IOException {
    Files.createSymbolicLink(file(), dir.resolve("target.log"));
    RollingLog log =
        new RollingLog(
            new LogSettings(
                ownedBy(65_534),
                file().toString(),
                true,
                null,
                null,
                ByteBuffer.allocate(0),
                ByteBuffer.allocate(0),
                true,
                build.warnings::add,
                new ShippingListener() {}));
    assertThatThrownBy(log::open).hasMessageContaining("symbolic link owned by user 65534");
    assertThat(dir.resolve("target.log")).doesNotExist();
  }

  @Test
  void hardLinkIsWrittenWhereOnlyWeCanHaveMadeIt() throws IOException {
    Path backup = Files.createLink(dir.resolve("backup"), Files.createFile(file()));
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    LogUnderTest.append(log, "x\n");
    assertThat(backup).hasContent("x");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {01777, 0777})
  void hardLinkWhereEverybodyCanMakeOneIsRefused(int mode) throws IOException {
    Path precious = Files.writeString(dir.resolve("precious"), "secret");
    Path shared = Files.createDirectory(dir.resolve("shared"));
    Files.setAttribute(shared, "unix:mode", mode);
    Files.createLink(shared.resolve("app.log"), precious);

    assertThatThrownBy(() -> build.plain(shared.resolve("app.log"), false).open())
        .hasMessageContaining("app.log has 2 hard links in a world-writable directory");
    assertThat(precious).hasContent("secret");
    Files.delete(shared.resolve("app.log"));
    LogUnderTest.append(LogUnderTest.started(build.plain(shared.resolve("app.log"), false)), "x");
    assertThat(shared.resolve("app.log")).hasContent("x");
  }

  /** A stranger cannot make a link of ours, but can give ours a name that we write to. */
  @Test
  void ourOwnLinkUnderASecondNameWhereEverybodyCanMakeOneIsRefused() throws Exception {
    Path precious = Files.writeString(dir.resolve("precious"), "secret");
    Path ours = Files.createSymbolicLink(dir.resolve("latest"), precious);
    Path shared = Files.createDirectory(dir.resolve("shared"));
    Path name = shared.resolve("app.log");
    assertThat(new ProcessBuilder("ln", "-P", ours.toString(), name.toString()).start().waitFor())
        .isZero();
    RollingLog inPrivate = LogUnderTest.started(build.plain(name, true));
    inPrivate.close(); // as a backup leaves it

    Files.setAttribute(shared, "unix:mode", 01777);
    assertThatThrownBy(() -> build.plain(name, false).open())
        .hasMessageContaining(
            "app.log is a symbolic link with 2 names in a world-writable directory");
    assertThat(precious).hasContent("secret");
    Files.delete(ours);
    LogUnderTest.started(build.plain(name, false)).close();
  }

  @Test
  void fileOfAStrangerWhereEverybodyCanMakeOneIsRefused() throws IOException {
    assumeTrue(
        build.disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    Files.writeString(file(), "theirs");
    Files.setAttribute(file(), "unix:uid", 65_534);
    RollingLog log = LogUnderTest.started(build.plain(file(), true));
    log.close(); // a log that somebody prepared for us

    Files.setAttribute(dir, "unix:mode", 01777);
    assertThatThrownBy(() -> build.plain(file(), false).open())
        .hasMessageContaining("app.log belongs to user 65534 in a world-writable directory");
    assertThat(file()).hasContent("theirs");
  }

  @Test
  void linksInACircleAreRefused() throws IOException {
    Files.createSymbolicLink(file(), dir.resolve("b"));
    Files.createSymbolicLink(dir.resolve("b"), file());
    assertThatThrownBy(() -> build.plain(file(), true).open())
        .hasMessageContaining("more than 16 symbolic links");
  }

  @Test
  void linkedDirectoryIsFollowed() throws IOException {
    Files.createDirectory(dir.resolve("real"));
    Files.createSymbolicLink(dir.resolve("logs"), dir.resolve("real"));
    RollingLog log = LogUnderTest.started(build.plain(dir.resolve("logs/app.log"), true));
    LogUnderTest.append(log, "x\n");
    assertThat(dir.resolve("real/app.log")).hasContent("x");
    assertThat(log.isUndisturbed()).isTrue();
  }

  /** A disk on which everything belongs to one user; to make it so on the real one takes root. */
  private static Disk ownedBy(int user) {
    Disk real = new NioDisk();
    InvocationHandler handler =
        (proxy, method, arguments) -> {
          Object truth = method.invoke(real, arguments);
          return truth instanceof FileInfo info
              ? new FileInfo(
                  info.kind(),
                  info.sizeBytes(),
                  info.key(),
                  user,
                  info.mode(),
                  info.links(),
                  info.modifiedMs())
              : truth;
        };
    return (Disk)
        Proxy.newProxyInstance(Disk.class.getClassLoader(), new Class<?>[] {Disk.class}, handler);
  }
}
