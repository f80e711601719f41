package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A directory like that of a process. */
class JvmTest {

  @TempDir private Path proc;

  private int userId;

  @BeforeEach
  void beAJvm() throws IOException {
    userId = (Integer) Files.getAttribute(proc, "unix:uid");
    Files.writeString(proc.resolve("maps"), "7f0a r--p 0 fe:00 12 /usr/lib/server/libjvm.so\n");
    Files.writeString(proc.resolve("cmdline"), "java\0-Xlog:gc:gc.log\0Main\0-Xlog:gc:no.log\0");
    Files.writeString(proc.resolve("environ"), "JAVA_TOOL_OPTIONS=-Xa\0");
    Files.writeString(proc.resolve("mountinfo"), "27 1 8:1 / / rw - ext4 /dev/sda rw\n");
    Files.createSymbolicLink(proc.resolve("cwd"), Path.of("/srv"));
  }

  @Test
  void itsOptionsAreJudged() throws IOException {
    Jvm jvm = Jvm.of(proc, userId);
    assertThat(jvm.command().options()).containsExactly("-Xa", "-Xlog:gc:gc.log");
    assertThat(jvm.command().unseen()).isEmpty();
    assertThat(new Doctor().check(jvm))
        .extracting(Doctor.Advice::id)
        .containsExactly("gc-log-on-disk", "no-dev-shm");
  }

  @Test
  void thatOfAnotherUserIsNotLookedAt() throws IOException {
    Files.delete(proc.resolve("maps"));
    Files.createDirectory(proc.resolve("maps")); // reading it fails
    assertThatThrownBy(() -> Jvm.of(proc, userId + 1))
        .isInstanceOf(ToolException.class)
        .hasMessageContaining("was not looked at: it belongs to user " + userId);
  }

  @Test
  void noMoreIsReadThanTheLimit() throws IOException {
    try (RandomAccessFile endless = new RandomAccessFile(proc.resolve("environ").toFile(), "rw")) {
      endless.setLength(1L << 40);
    }
    assertThatThrownBy(() -> Jvm.of(proc, userId)).hasMessageContaining("read 16 MB of it");
  }

  @Test
  void anotherProgramIsNoJvm() throws IOException {
    Files.writeString(proc.resolve("maps"), "");
    assertThatThrownBy(() -> Jvm.of(proc, userId)).hasMessageContaining("is no JVM but java");
  }
}
