package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Longest;
import dev.forebay.it.demo.app.Phase;
import dev.forebay.it.demo.app.PlayApp;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;

/**
 * The JVM of one application, as {@link PlayApp} describes its input and output. A thread reads
 * what it says, the main thread looks at the result.
 */
final class AppProcess implements AutoCloseable {

  private static final long KILL_SECONDS = 10;

  /** Lines of what it printed, for the message when it dies. */
  private static final int TAIL = 30;

  private final String name;
  private final Process process;
  private final Path output;
  private final Map<Phase, Latency> latencies = new ConcurrentHashMap<>();

  /** Written by the thread that reads the application's output, as are the next four. */
  private volatile int port;

  private volatile Figures figures = Figures.NONE;
  private volatile Longest.Slots longest = Longest.Slots.NONE;
  private volatile String error = "";
  private volatile boolean isFinished;

  private AppProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
  }

  /**
   * Starts an application.
   *
   * @param name how messages call it
   * @param home its working directory, not on the disk that will stall
   * @param options JVM options
   */
  static AppProcess start(String name, Path home, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(absoluteClassPath());
    command.add(PlayApp.class.getName());
    command.add(home.toString());
    Path output = home.resolve("output");
    Process process =
        new ProcessBuilder(command).directory(home.toFile()).redirectError(output.toFile()).start();
    AppProcess app = new AppProcess(name, process, output);
    Thread thread = new Thread(app::listen, "demo-output-" + name);
    thread.setDaemon(true);
    thread.start();
    return app;
  }

  private static String absoluteClassPath() {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      entries.add(new File(entry).getAbsolutePath());
    }
    return String.join(File.pathSeparator, entries);
  }

  private void listen() {
    try (BufferedReader reader = process.inputReader(StandardCharsets.UTF_8)) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        understand(line);
      }
    } catch (IOException e) {
      error = "its output broke off: " + e.getMessage();
    }
  }

  private void understand(String line) {
    String[] words = line.split(" ", 2);
    String rest = words.length == 2 ? words[1] : "";
    switch (words[0]) {
      case "ready" -> port = Integer.parseInt(rest);
      case "figures" -> figures = Figures.parse(rest);
      case "latency" -> {
        String[] phaseAndNumbers = rest.split(" ", 2);
        latencies.put(Phase.titled(phaseAndNumbers[0]), Latency.parse(phaseAndNumbers[1]));
      }
      case "longest" -> longest = Longest.Slots.parse(rest);
      case "error" -> error = rest;
      case "finished" -> isFinished = true;
      default -> error = "it said " + line;
    }
  }

  String name() {
    return name;
  }

  /** The port it listens on, 0 before it does. */
  int port() {
    return port;
  }

  /** The newest figures it told. */
  Figures figures() {
    return figures;
  }

  /** The newest failure its appender admits, "" for none; known when it has finished. */
  String error() {
    return error;
  }

  /** How long its log calls took; known when it has finished. */
  Latency latency(Phase phase) {
    return latencies.getOrDefault(phase, Latency.NONE);
  }

  /** The longest log call of each moment; known when it has finished. */
  Longest.Slots longest() {
    return longest;
  }

  boolean isFinished() {
    return isFinished;
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** Sends one command. */
  void tell(String command) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Throws with the end of its output when it is gone without having finished. */
  void requireAlive() {
    if (!isAlive() && !isFinished) {
      throw failure("has died with exit code " + process.exitValue());
    }
  }

  /** A failure of this application, with the end of its output. */
  DemoFailure failure(String what) {
    List<String> said = List.of();
    try {
      said = Files.readAllLines(output);
    } catch (IOException e) {
      what += " and left no output";
    }
    String tail = String.join("\n  ", said.subList(Math.max(0, said.size() - TAIL), said.size()));
    return new DemoFailure("The " + name + " application " + what + ". It said:\n  " + tail);
  }

  /** Kills it. While the disk is stalled a thread may stay in the kernel until it answers. */
  @Override
  public void close() throws IOException {
    process.destroyForcibly();
    try {
      if (!process.waitFor(KILL_SECONDS, TimeUnit.SECONDS)) {
        throw new IOException("The " + name + " application, process " + process.pid() + ", stays");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
