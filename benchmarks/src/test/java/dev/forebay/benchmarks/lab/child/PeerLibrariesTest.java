package dev.forebay.benchmarks.lab.child;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.child.PeerLibraries.Launch;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

@Tag("once")
class PeerLibrariesTest {

  /** Where the build puts them. */
  private static final Path NESTED = Path.of("target", "classes", "peers");

  @TempDir private Path directory;

  @ParameterizedTest
  @EnumSource(Peer.class)
  void eachPeerHasAProviderOfSlf4jOnItsClassPath(Peer peer) throws IOException {
    Launch launch = PeerLibraries.of(peer, directory);

    String provider = launch.jvmOptions().get(0).replace("-Dslf4j.provider=", "");
    assertThat(provider.startsWith("ch.qos.logback.") || contains(launch, provider)).isTrue();
    assertThat(PeerLibraries.of(peer, directory)).as("a second time").isEqualTo(launch);
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.MATCH_ANY,
      names = {"LOG4J2.*", "CHRONICLE", "TINYLOG"})
  void theIndexNamesAllJarsOfTheSet(Peer peer) throws IOException {
    Launch launch = PeerLibraries.of(peer, directory);

    try (Stream<Path> nested = Files.list(NESTED.resolve(peer.libraries()))) {
      assertThat(launch.classPath())
          .extracting(jar -> jar.getFileName().toString())
          .containsExactlyInAnyOrderElementsOf(
              nested
                  .map(jar -> jar.getFileName().toString())
                  .filter(name -> !name.equals("index"))
                  .toList());
    }
  }

  private static boolean contains(Launch launch, String type) throws IOException {
    for (Path jar : launch.classPath()) {
      try (JarFile content = new JarFile(jar.toFile())) {
        if (content.getEntry(type.replace('.', '/') + ".class") != null) {
          return true;
        }
      }
    }
    return false;
  }
}
