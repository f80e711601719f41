package dev.forebay.tool;

import dev.forebay.Misspellings;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.inspect.LogSpools;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import picocli.CommandLine.Option;

/** The directories that may hold spools. A mixin of the verbs that look for one. */
final class Places {

  /** Directory of a user, below a directory for spools. */
  private static final String USER_DIRECTORY = "forebay-\\d+(-[0-9a-f]{16})?";

  @Option(
      names = "--spool-directory",
      paramLabel = "DIR",
      description = "A <spoolDirectory> to look in; repeatable, /dev/shm by default.")
  private List<Path> given = new ArrayList<>();

  private final Disk disk = NioDisk.current();

  List<Path> directories() {
    for (Path directory : given) {
      if (!Files.isDirectory(directory)) {
        throw ToolException.notFound("no directory " + directory + " to look for spools in");
      }
    }
    return given.isEmpty() ? List.of(Path.of(disk.spoolPlace())) : given;
  }

  /** The spools of all logs of this user. */
  List<LogSpools> all() throws IOException {
    return LogSpools.below(directories().toArray(Path[]::new));
  }

  /** The directories of other users below these, which are never looked into, and their users. */
  Map<Path, Integer> foreign(List<Path> bases) throws IOException {
    Map<Path, Integer> foreign = new TreeMap<>();
    for (Path base : bases) {
      for (Path entry : disk.stat(base) == null ? List.<Path>of() : disk.list(base)) {
        FileInfo info = disk.stat(entry);
        if (info != null
            && info.kind() == FileInfo.Kind.DIRECTORY
            && String.valueOf(entry.getFileName()).matches(USER_DIRECTORY)
            && info.ownerId() != disk.userId()) {
          foreign.put(entry, info.ownerId());
        }
      }
    }
    return foreign;
  }

  /** The spools that an argument means, as {@link Main#TARGET} says. */
  List<LogSpools> find(String target) throws IOException {
    return target.matches("\\d+") ? ofProcess(target) : List.of(at(target));
  }

  private List<LogSpools> ofProcess(String target) throws IOException {
    Path process = Jvm.require(target);
    long pid = Long.parseLong(target);
    List<LogSpools> found = new ArrayList<>();
    for (LogSpools log : all()) {
      if (log.shipped().stream().anyMatch(spool -> spool.owner().pid() == pid)) {
        found.add(log);
      }
    }
    if (found.isEmpty()) {
      FileInfo info = disk.stat(process);
      if (info != null && info.ownerId() != disk.userId()) {
        throw ToolException.foreign("process " + pid, process);
      }
      throw ToolException.notFound(
          "process %d has no spool in %s; \"forebay ls\" lists those of user %d"
              .formatted(pid, directories(), disk.userId()));
    }
    return found;
  }

  private LogSpools at(String target) throws IOException {
    Path log = Path.of(target).toAbsolutePath();
    Path path = log.normalize();
    List<Path> bases = new ArrayList<>(directories());
    for (Path up = path.getParent(); up != null; up = up.getParent()) {
      if (String.valueOf(up.getFileName()).startsWith("forebay-") && up.getParent() != null) {
        bases.add(up.getParent());
      }
    }
    List<LogSpools> logs = LogSpools.below(bases.toArray(Path[]::new));
    for (LogSpools spools : logs) {
      if (path.startsWith(spools.path()) || spools.isOf(log)) {
        return spools;
      }
    }
    for (LogSpools spools : logs) { // its place in the file system may have changed since
      String name = spools.log(); // "" without a note
      if (!name.isEmpty() && (name.equals(path.toString()) || name.equals(target))) { // a stream
        return spools;
      }
    }
    Map<Path, Integer> foreign = foreign(bases);
    String key = LogIdentity.of(disk, log).key();
    for (Path directory : foreign.keySet()) {
      if (path.startsWith(directory) || Files.exists(directory.resolve(key))) {
        throw ToolException.foreign("the spool of " + path, directory);
      }
    }
    Set<String> names = new TreeSet<>();
    for (LogSpools spools : logs) {
      names.add(spools.log());
    }
    names.remove(""); // of one without a note
    throw ToolException.notFound(
        "no spool of user %d in %s is for %s; %s%s; \"forebay ls\" lists all"
            .formatted(
                disk.userId(),
                directories(),
                path,
                names.isEmpty()
                    ? "there is none of any log"
                    : "the nearest log with one is " + Misspellings.nearest(path.toString(), names),
                foreign.isEmpty()
                    ? ""
                    : "; " + foreign.keySet() + " of other users was not looked into"));
  }
}
