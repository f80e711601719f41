package dev.forebay.it.gatling;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;

/**
 * The phase of the run: what was last said on the standard input of this JVM. When that ends, who
 * started this JVM is gone, and so is this JVM, at once.
 */
final class CurrentPhase {

  private static volatile String name = "warm-up";

  private CurrentPhase() {}

  static String name() {
    return name;
  }

  /** Reads phases from now on, on a thread of its own. */
  static void follow() {
    Thread thread = new Thread(CurrentPhase::read, "phases");
    thread.setDaemon(true);
    thread.start();
  }

  private static void read() {
    try (BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8))) {
      for (String line = input.readLine(); line != null; line = input.readLine()) {
        name = line;
      }
    } catch (IOException e) {
      // As good as the end.
    }
    Runtime.getRuntime().halt(1);
  }
}
