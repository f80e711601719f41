package dev.forebay.tiered.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.FileChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sockets in directories whose paths are too long for an address. */
class SocketAddressesTest {

  private static final int MANY = 8;

  @TempDir private Path temporary;

  private final List<FileChannel> open = new ArrayList<>();
  private Path directory;
  private Path other;

  @BeforeEach
  void create() throws IOException {
    directory = Files.createDirectory(temporary.resolve("d".repeat(120)));
    other = Files.createDirectory(temporary.resolve("o".repeat(120)));
  }

  @AfterEach
  void close() throws IOException {
    for (FileChannel channel : open) {
      channel.close();
    }
  }

  private void open(Path path) throws IOException {
    for (int i = 0; i < MANY; i++) {
      open.add(FileChannel.open(path, StandardOpenOption.READ));
    }
  }

  @Test
  void aSocketIsWhereItBelongsThoughOthersOpenAndCloseTheSameDirectory() throws Exception {
    open(directory); // with lower numbers than ours, and so found before it
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SocketAddresses.with(
          directory,
          "s",
          address -> {
            close();
            open(other); // with the numbers that were closed
            return server.bind(address);
          });
      assertThat(directory.resolve("s")).exists();
      assertThat(other).isEmptyDirectory();
    }
  }

  @Test
  void aDirectoryIsFoundThroughALinkAboveIt() throws Exception {
    Path link = Files.createSymbolicLink(temporary.resolve("link"), temporary);
    try (ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      SocketAddresses.with(link.resolve(directory.getFileName()), "s", server::bind);
      assertThat(directory.resolve("s")).exists();
    }
  }

  @Test
  void aDirectoryThatIsGoneIsNamed() {
    assertThatThrownBy(
            () -> SocketAddresses.with(temporary.resolve("none"), "s", address -> address))
        .isInstanceOf(NoSuchFileException.class)
        .hasMessageContaining("none");
  }
}
