package dev.forebay.it.container;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.slf4j.LoggerFactory;

/**
 * Skips a class of tests where no Docker engine answers on this machine, or makes it fail where
 * {@code FOREBAY_DOCKER=required} says that there must be one. Asks the engine itself, because
 * Testcontainers looks for one in many places, and for long.
 */
final class RequiresDocker implements BeforeAllCallback {

  private static final String VARIABLE = "FOREBAY_DOCKER";
  private static final String DEFAULT_HOST = "unix:///var/run/docker.sock";
  private static final String PING = "GET /_ping HTTP/1.0\r\nHost: engine\r\n\r\n";

  @Override
  public void beforeAll(ExtensionContext context) {
    Optional<String> problem = problem();
    if (problem.isPresent()) {
      String sentence =
          "no Docker engine: install docker.io and start dockerd, as .ci/run does (%s)"
              .formatted(problem.get());
      if ("required".equals(System.getenv(VARIABLE))) {
        throw new AssertionError(VARIABLE + "=required: " + sentence);
      }
      assumeTrue(false, sentence);
    }
    for (String talker : List.of("org.testcontainers", "com.github.dockerjava", "tc")) {
      ((Logger) LoggerFactory.getLogger(talker)).setLevel(Level.ERROR);
    }
  }

  /** Why containers cannot be used; nothing if they can. */
  private static Optional<String> problem() {
    String host = Optional.ofNullable(System.getenv("DOCKER_HOST")).orElse(DEFAULT_HOST);
    if (!host.startsWith("unix://")) {
      return Optional.of("DOCKER_HOST is " + host);
    }
    Path socket = Path.of(host.substring("unix://".length()));
    try (SocketChannel channel = SocketChannel.open(StandardProtocolFamily.UNIX)) {
      channel.connect(UnixDomainSocketAddress.of(socket));
      channel.write(ByteBuffer.wrap(PING.getBytes(StandardCharsets.US_ASCII)));
      ByteBuffer answer = ByteBuffer.allocate(4096);
      while (answer.hasRemaining() && channel.read(answer) >= 0) {}
      String text = new String(answer.array(), 0, answer.position(), StandardCharsets.US_ASCII);
      return text.matches("(?s)HTTP/1\\.[01] 200.*")
          ? Optional.empty()
          : Optional.of(socket + " answers: " + text.lines().findFirst().orElse("nothing"));
    } catch (IOException e) {
      return Optional.of("none answers at " + socket + " (" + e.getMessage() + ")");
    }
  }
}
