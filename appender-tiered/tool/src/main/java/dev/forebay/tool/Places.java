package dev.forebay.tool;

import dev.forebay.tiered.inspect.Inspector;
import dev.forebay.tiered.inspect.LogSpools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Option;

/** The directories that may hold spools. A mixin of the verbs that look for one. */
final class Places {

  private static final Path USUAL = Path.of("/dev/shm");

  @Option(
      names = "--spool-directory",
      paramLabel = "DIR",
      description = "A <spoolDirectory> to look in; repeatable, /dev/shm by default.")
  private List<Path> directories = new ArrayList<>();

  private final Inspector inspector = new Inspector();

  private List<Path> directories() {
    for (Path directory : directories) {
      if (!Files.isDirectory(directory)) {
        throw ToolException.notFound("no directory " + directory + " to look for spools in");
      }
    }
    return directories.isEmpty() ? List.of(USUAL) : directories;
  }

  /** The spools of all logs of this user. */
  List<LogSpools> all() throws IOException {
    return below(directories());
  }

  private List<LogSpools> below(List<Path> bases) throws IOException {
    List<LogSpools> all = new ArrayList<>();
    for (Path base : bases) {
      all.addAll(inspector.logs(base));
    }
    return all;
  }

  /** The directories of other users. */
  List<Inspector.Foreign> foreign() throws IOException {
    return foreign(directories());
  }

  private List<Inspector.Foreign> foreign(List<Path> bases) throws IOException {
    List<Inspector.Foreign> foreign = new ArrayList<>();
    for (Path base : bases) {
      foreign.addAll(inspector.foreign(base));
    }
    return foreign;
  }

  /**
   * The spools that an argument means.
   *
   * @param target the path of a log, the directory of its spools, or a process id
   */
  List<LogSpools> find(String target) throws IOException {
    return target.matches("\\d+") ? ofProcess(target) : List.of(at(target));
  }

  private List<LogSpools> ofProcess(String target) throws IOException {
    Running.require(target);
    long pid = Long.parseLong(target);
    List<LogSpools> found = new ArrayList<>();
    for (LogSpools log : all()) {
      if (log.shipped().stream().anyMatch(spool -> spool.owner().pid() == pid)) {
        found.add(log);
      }
    }
    if (found.isEmpty()) {
      throw ToolException.notFound(
          "process %d has no spool in %s; \"forebay ls\" lists those of user %d"
              .formatted(pid, directories(), inspector.userId()));
    }
    return found;
  }

  private LogSpools at(String target) throws IOException {
    Path given = Path.of(target).toAbsolutePath();
    Path path = given.normalize();
    List<Path> bases = new ArrayList<>(directories());
    for (Path up = path.getParent(); up != null; up = up.getParent()) {
      if (String.valueOf(up.getFileName()).startsWith("forebay-") && up.getParent() != null) {
        bases.add(up.getParent());
      }
    }
    List<LogSpools> logs = below(bases);
    for (LogSpools log : logs) {
      if (path.startsWith(log.path()) || log.isOf(given)) {
        return log;
      }
    }
    for (LogSpools log : logs) { // its place in the file system may have changed since
      if (log.log().equals(path.toString())) {
        return log;
      }
    }
    for (Inspector.Foreign other : foreign(bases)) {
      if (path.startsWith(other.path())) {
        throw ToolException.refused(
            "%s belongs to user %d; run this as that user".formatted(path, other.userId()));
      }
    }
    throw ToolException.notFound(
        "no spool of user %d for %s in %s: nothing of it is waiting; \"forebay ls\" lists all"
            .formatted(inspector.userId(), path, directories()));
  }
}
