package dev.forebay.tiered.file;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.tiered.checkpoint.Checkpoint.Position;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What may stand at the log file's path, and what of it is followed or opened. */
class LinksAndPipesTest extends LogRig {

  @Test
  void neitherPipesNorLinksAreOpenedForReading() throws IOException {
    Stranger.PIPE.putAt(dir.resolve("pipe"));
    Files.createSymbolicLink(dir.resolve("link"), dir.resolve("pipe"));
    RollingLog log = started(plain());

    for (String name : List.of("pipe", "link")) {
      String key = disk.stat(dir.resolve(name)).key();
      assertThat(log.find(new Position(key, 0), Disk.Mode.READ)).isNull();
    }
  }

  @Test
  void aPipeOrACircleOfLinksIsRefused() throws IOException {
    Stranger.PIPE.putAt(path());
    assertThatThrownBy(() -> plain().open()).hasMessageContaining("app.log is not a regular file");
    Files.delete(path());
    Stranger.LOOP.putAt(path());
    assertThatThrownBy(() -> plain().open()).hasMessageContaining("more than 16 symbolic links");
  }

  @Test
  void aLinkOfOursIsWrittenThrough() throws IOException {
    Path target = Files.createDirectory(dir.resolve("real")).resolve("target.log");
    Files.createSymbolicLink(path(), Path.of("real/target.log"));
    RollingLog log = started(plain());
    append(log, "x\n");
    assertThat(target).hasContent("x");
    assertThat(log.isUndisturbed()).isTrue();
    Files.delete(path());
    Files.createSymbolicLink(path(), Path.of("real/other.log"));

    assertThat(log.isUndisturbed()).isFalse();
  }

  @Test
  void aLinkOfAStrangerIsRefused() throws IOException {
    Files.createSymbolicLink(path(), dir.resolve("target.log"));
    disk.showing(
        (at, i) ->
            new FileInfo(
                i.kind(), i.sizeBytes(), i.key(), 65_534, i.mode(), i.links(), i.modifiedMs()));

    assertThatThrownBy(() -> plain().open())
        .hasMessageContaining("symbolic link owned by user 65534");
    assertThat(dir.resolve("target.log")).doesNotExist();
  }

  @Test
  void aHardLinkIsWrittenWhereOnlyWeCanHaveMadeIt() throws IOException {
    Path backup = Files.createLink(dir.resolve("backup"), Files.createFile(path()));
    RollingLog log = started(plain());
    append(log, "x\n");

    assertThat(backup).hasContent("x");
    assertThat(log.isUndisturbed()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(ints = {01777, 0777})
  void aHardLinkWhereEverybodyCanMakeOneIsRefused(int mode) throws IOException {
    Path precious = Files.writeString(dir.resolve("precious"), "secret");
    Path shared = Files.createDirectory(dir.resolve("shared"));
    Path name = shared.resolve("app.log");
    Files.setAttribute(shared, "unix:mode", mode);
    Files.createLink(name, precious);

    assertThatThrownBy(() -> plain(name, false).open())
        .hasMessageContaining("app.log has 2 hard links in a world-writable directory");
    assertThat(precious).hasContent("secret");
    Files.delete(name);
    append(started(plain(name, false)), "x");
    assertThat(name).hasContent("x");
  }

  /** A stranger cannot make a link of ours, but can give ours a name that we write to. */
  @Test
  void ourOwnLinkUnderASecondNameWhereEverybodyCanMakeOneIsRefused() throws IOException {
    Path precious = Files.writeString(dir.resolve("precious"), "secret");
    Path ours = Files.createSymbolicLink(dir.resolve("latest"), precious);
    Path shared = Files.createDirectory(dir.resolve("shared"));
    Path name = shared.resolve("app.log");
    Stranger.run("ln", "-P", ours.toString(), name.toString());
    started(plain(name, true)).close(); // as a backup leaves it
    Files.setAttribute(shared, "unix:mode", 01777);

    assertThatThrownBy(() -> plain(name, false).open())
        .hasMessageContaining(
            "app.log is a symbolic link with 2 names in a world-writable directory");
    assertThat(precious).hasContent("secret");
    Files.delete(ours);
    started(plain(name, false)).close();
  }

  @Test
  void aFileOfAStrangerWhereEverybodyCanMakeOneIsRefused() throws IOException {
    assumeTrue(disk.userId() == 0, "root is needed: run the build as root (giving files away)");
    Files.writeString(path(), "theirs");
    Files.setAttribute(path(), "unix:uid", 65_534);
    started(plain()).close(); // a log that somebody prepared for us
    Files.setAttribute(dir, "unix:mode", 01777);

    assertThatThrownBy(() -> plain(path(), false).open())
        .hasMessageContaining("app.log belongs to user 65534 in a world-writable directory");
    assertThat(path()).hasContent("theirs");
  }
}
