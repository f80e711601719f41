package dev.forebay.benchmarks.lab.host;

import dev.forebay.host.Command;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/** What can be found out about the machine and this build; what cannot is empty. */
final class Machine {

  private static final long KIB_PER_MIB = 1024;

  private Machine() {}

  /** Model of the processor. */
  static Optional<String> processor() {
    return valueIn(Path.of("/proc/cpuinfo"), "model name");
  }

  /** Memory in MiB. */
  static Optional<String> memoryMebibytes() {
    return valueIn(Path.of("/proc/meminfo"), "MemTotal")
        .map(text -> Long.toString(Long.parseLong(text.replace(" kB", "")) / KIB_PER_MIB));
  }

  /** The hypervisor as systemd knows it, or whether there is one. */
  static Optional<String> virtualisation() {
    if (Command.exists("systemd-detect-virt")) {
      try {
        return Optional.of(Command.run("systemd-detect-virt", "--vm"));
      } catch (IOException e) {
        // It fails where there is none, and says so.
        return Optional.of("none");
      }
    }
    return valueIn(Path.of("/proc/cpuinfo"), "flags")
        .map(flags -> flags.contains(" hypervisor") ? "unknown hypervisor" : "none");
  }

  static String kernel() {
    return System.getProperty("os.name") + " " + System.getProperty("os.version");
  }

  static String jdk() {
    return System.getProperty("java.vm.name")
        + " "
        + System.getProperty("java.runtime.version")
        + " ("
        + System.getProperty("java.vendor")
        + ")";
  }

  /** Load averages over 1, 5 and 15 minutes. */
  static Optional<String> load() {
    try {
      String[] words = Files.readString(Path.of("/proc/loadavg")).split(" ", -1);
      return Optional.of(words[0] + " " + words[1] + " " + words[2]);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** A directory and the type of its file system. */
  static String placed(Path directory) throws IOException {
    return directory.toAbsolutePath() + " (" + Files.getFileStore(directory).type() + ")";
  }

  /** The commit of the working copy that the running classes are in. */
  static Optional<String> commit() {
    try {
      String place =
          Path.of(Machine.class.getProtectionDomain().getCodeSource().getLocation().toURI())
              .resolve("..")
              .normalize()
              .toString();
      String commit = Command.run("git", "-C", place, "rev-parse", "HEAD");
      String changed =
          Command.run("git", "-C", place, "status", "--porcelain", "--untracked-files=no");
      return Optional.of(changed.isEmpty() ? commit : commit + " (dirty)");
    } catch (IOException | URISyntaxException e) {
      return Optional.empty();
    }
  }

  private static Optional<String> valueIn(Path file, String name) {
    try (var lines = Files.lines(file)) {
      return lines
          .filter(line -> line.startsWith(name))
          .map(line -> line.substring(line.indexOf(':') + 1).trim())
          .findFirst();
    } catch (IOException e) {
      return Optional.empty();
    }
  }
}
