package dev.forebay.host;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class FileTreeTest {

  @TempDir Path directory;

  @Test
  void deletesEverythingInItAndFollowsNoLink() throws IOException {
    Path elsewhere = Files.createDirectory(directory.resolve("elsewhere"));
    Files.writeString(elsewhere.resolve("kept"), "");
    Path root = Files.createDirectories(directory.resolve("root/deep")).getParent();
    Files.writeString(root.resolve("deep/file"), "");
    Files.createSymbolicLink(root.resolve("link"), elsewhere);

    FileTree.delete(root);
    FileTree.delete(root); // gone already

    assertThat(root).doesNotExist();
    assertThat(elsewhere.resolve("kept")).exists();
  }

  @Test
  void findsWhatIsInItAndFollowsNoLink() throws IOException {
    Path deep = Files.createDirectories(directory.resolve("root/deep"));
    Path root = deep.getParent();
    Path file = Files.writeString(deep.resolve("file"), "a text");
    Path link = Files.createSymbolicLink(root.resolve("link"), directory);

    assertThat(FileTree.files(root)).containsExactly(file);
    assertThat(FileTree.entries(root)).containsExactlyInAnyOrder(root, deep, file, link);
    assertThat(FileTree.contains(root, "text")).isTrue();
    assertThat(FileTree.contains(root, "texts")).isFalse();
    assertThat(FileTree.files(directory.resolve("absent"))).isEmpty();
  }
}
