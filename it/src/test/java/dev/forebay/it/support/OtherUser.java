package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.core.Appender;
import dev.forebay.NonBlockingAppender;
import dev.forebay.host.Command;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.slf4j.LoggerFactory;

/** A user without rights, whose commands we run. Needs root. */
public record OtherUser(int uid) {

  /** Whose application logs. */
  public static final OtherUser VICTIM = new OtherUser(65_533);

  /** Who has an account on the same machine. */
  public static final OtherUser STRANGER = new OtherUser(65_534);

  public static void assumePossible() throws IOException {
    Needs.root("becoming other users");
    assumeTrue(Command.exitCode(STRANGER.command("true")) == 0, "no setpriv: install util-linux");
  }

  /** The command, run as this user. */
  public String[] command(String... command) {
    List<String> all = new ArrayList<>(List.of("setpriv"));
    all.addAll(List.of("--reuid=" + uid, "--regid=" + uid, "--clear-groups"));
    all.addAll(List.of(command));
    return all.toArray(new String[0]);
  }

  /** What a shell script of this user prints; {@code $1} and so on are the arguments. */
  public String says(String script, Object... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>(List.of(command("sh", "-c", script, "sh")));
    for (Object argument : arguments) {
      command.add(argument.toString());
    }
    Process process =
        new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
    String said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    process.waitFor();
    return said;
  }

  /** Gives something, with all that is in it, to this user. */
  public void own(Path path) throws IOException {
    Command.run("chown", "-hR", uid + ":" + uid, path.toString());
  }

  /** Directories and jars that a {@link LoggingChild} needs. */
  public static Set<URI> sources() throws URISyntaxException {
    Set<URI> sources = new LinkedHashSet<>();
    for (Class<?> type :
        List.of(
            OtherUser.class,
            Command.class,
            TieredAppender.class,
            NonBlockingAppender.class,
            Logger.class,
            Appender.class,
            LoggerFactory.class)) {
      sources.add(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    }
    return sources;
  }

  /** A class path that everybody can read, since ours may be in somebody's home. */
  public static String classPath(Path into) throws Exception {
    List<String> copies = new ArrayList<>();
    for (URI source : sources()) {
      Path copy = into.resolve(copies.size() + "-" + Path.of(source).getFileName());
      Command.run("cp", "-r", Path.of(source).toString(), copy.toString());
      copies.add(copy.toString());
    }
    Command.run("chmod", "-R", "a+rX", into.toString());
    return String.join(":", copies);
  }

  /** A directory as /tmp is: everybody makes names, and removes only their own. */
  public static Path share(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.setAttribute(directory, "unix:mode", 01777);
    return directory;
  }
}
