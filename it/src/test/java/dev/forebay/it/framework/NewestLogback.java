package dev.forebay.it.framework;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.LoggerContext;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The newest Logback that must work, in place of the one of an application. */
final class NewestLogback {

  static final String VERSION = "1.6.6";

  /** A Logback jar in a class path: its path, and the artifact in it. */
  private static final Pattern JAR =
      Pattern.compile("(?<path>[^:]*/)?(?<artifact>logback-(classic|core))-[0-9][^/:]*\\.jar");

  private NewestLogback() {}

  /** The jar, which the unit tests of the same build have fetched to the local repository. */
  static Path jar(String artifact) {
    try {
      Path ours =
          Path.of(LoggerContext.class.getProtectionDomain().getCodeSource().getLocation().toURI());
      Path repository = ours.getParent().getParent().getParent();
      Path jar =
          repository.resolve(Path.of(artifact, VERSION, "%s-%s.jar".formatted(artifact, VERSION)));
      assumeTrue(
          Files.exists(jar), "a jar is missing: run the unit tests, which fetch it (" + jar + ")");
      return jar;
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** A class path with it. */
  static String in(String classPath) {
    return JAR.matcher(classPath)
        .replaceAll(match -> Matcher.quoteReplacement(jar(match.group(2)).toString()));
  }
}
