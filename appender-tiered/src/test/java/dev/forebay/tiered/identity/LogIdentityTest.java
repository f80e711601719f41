package dev.forebay.tiered.identity;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Random;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("once")
class LogIdentityTest {

  private final Disk disk = new NioDisk();
  @TempDir Path temporary;
  private Path base;

  @BeforeEach
  void followLinks() throws IOException {
    base = temporary.toRealPath();
  }

  private LogIdentity of(String log) {
    return LogIdentity.of(disk, base.resolve(log));
  }

  /** Start scripts do so: {@code current/../logs}. */
  @Test
  void theParentOfALinkIsThatOfItsTarget() throws IOException {
    Files.createDirectories(base.resolve("releases/1"));
    Files.createSymbolicLink(base.resolve("current"), Path.of("releases/1"));
    LogIdentity before = of("current/../logs/app.log");
    Files.createDirectories(base.resolve("releases/logs"));

    assertThat(of("current/../logs/app.log"))
        .isEqualTo(before)
        .isEqualTo(of("releases/logs/app.log"))
        .isNotEqualTo(of("logs/app.log"));
  }

  @Test
  void aDirectoryBehindALinkIsTheOneItLeadsTo() throws IOException {
    Files.createDirectory(base.resolve("real"));
    Files.createSymbolicLink(base.resolve("link"), base.resolve("real"));

    assertThat(of("link/app.log")).isEqualTo(of("real/app.log"));
    assertThat(of("link/deeper/app.log")).isEqualTo(of("real/deeper/app.log"));
    assertThat(LogIdentity.unresolved(disk, base.resolve("link/app.log")))
        .isNotEqualTo(of("real/app.log"));
    assertThat(LogIdentity.unresolved(disk, base.resolve("real/app.log")))
        .isEqualTo(of("real/app.log"));
  }

  /** Keys are made without the security providers, which take long to load. */
  @Test
  void keysAreHashesAsTheJdkMakesThem() throws Exception {
    MessageDigest jdk = MessageDigest.getInstance("SHA-256");
    Random random = new Random(1);
    for (int length = 0; length < 300; length++) {
      byte[] message = new byte[length];
      random.nextBytes(message);
      assertThat(Sha256.of(message)).as("%d bytes", length).isEqualTo(jdk.digest(message));
    }
  }
}
