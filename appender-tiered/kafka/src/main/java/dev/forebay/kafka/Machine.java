package dev.forebay.kafka;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** The name of the machine, or the container, that this process is on. */
final class Machine {

  private static final Path HOST_NAME = Path.of("/proc/sys/kernel/hostname");

  private Machine() {}

  static String name() {
    try {
      return Files.readString(HOST_NAME).trim();
    } catch (IOException e) { // not Linux
      String named = System.getenv("HOSTNAME");
      return String.valueOf(named == null ? System.getenv("COMPUTERNAME") : named);
    }
  }
}
