package dev.forebay.it.attack;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;

/**
 * Names in the log's directory that mean nothing, or stand where archives will: none of it may stop
 * the log, and none may be written to.
 */
@Attack.On(Attack.Target.NAMES)
record Junk(long seed, boolean whileRunning) implements Attack {

  static final String TEXT = "junk\n";

  /** What can stand at a name. */
  private enum Kind {
    FILE,
    DIRECTORY,
    FULL_DIRECTORY,
    PIPE,
    DANGLING_LINK,
    LOOP
  }

  @Override
  public void arrange(Field field) throws Exception {
    if (!whileRunning) {
      litter(field);
    }
  }

  @Override
  public void outside(Field field, Life victim) throws Exception {
    if (whileRunning) {
      litter(field);
    }
    Await.pass(Duration.ofMillis(500));
    if (!field.isUntouched(Target.LOG)) {
      return; // they may be elsewhere
    }
    for (Path path : field.strangers()) {
      if (!Files.isRegularFile(path) || !Files.readString(path).equals(TEXT)) {
        throw new AssertionError("somebody wrote to " + path);
      }
    }
  }

  private List<String> names(Field field) {
    List<String> names =
        new ArrayList<>(
            List.of(".kept", "..kept", ".app.log.kept", ".app.log.1.kept", "app.log12345.tmp"));
    names.addAll(
        List.of("app.log~", "a\nb", " ", "x".repeat(255), "." + "x".repeat(249) + ".kept"));
    String today = LocalDate.now(ZoneId.systemDefault()).toString();
    String pattern = field.roll().pattern(Path.of("")).substring(1);
    for (int i = 0; i < 6; i++) {
      String archive = pattern.replace("%d{yyyy-MM-dd}", today).replace("%i", String.valueOf(i));
      names.addAll(List.of(archive, "." + archive + ".kept", "." + archive + ".1.kept"));
    }
    return names;
  }

  private void litter(Field field) throws IOException, InterruptedException {
    Random random = new Random(seed);
    for (String name : names(field)) {
      if (random.nextInt(3) == 0) {
        Path path = field.logDirectory().resolve(name);
        try {
          place(path, Scenario.pick(random, Kind.values()), field);
        } catch (FileAlreadyExistsException | NoSuchFileException e) {
          // an archive was faster, or the directory is away
        }
      }
    }
  }

  private static void place(Path path, Kind kind, Field field)
      throws IOException, InterruptedException {
    switch (kind) {
      case FILE -> {
        Files.writeString(path, TEXT, StandardOpenOption.CREATE_NEW);
        field.stranger(path);
      }
      case DIRECTORY -> Files.createDirectory(path);
      case FULL_DIRECTORY -> {
        Files.createDirectory(path);
        Files.writeString(path.resolve("x"), TEXT);
      }
      case PIPE -> Command.exitCode("mkfifo", path.toString());
      case DANGLING_LINK -> Files.createSymbolicLink(path, Path.of("../no-directory/x"));
      case LOOP -> Files.createSymbolicLink(path, path.getFileName());
    }
  }
}
