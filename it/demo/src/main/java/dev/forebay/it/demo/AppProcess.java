package dev.forebay.it.demo;

import dev.forebay.it.demo.app.Figures;
import dev.forebay.it.demo.app.Latency;
import dev.forebay.it.demo.app.Phase;
import dev.forebay.it.demo.app.PlayApp;
import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/**
 * The JVM of one application, as {@link PlayApp} describes its input and output. Two threads read
 * what it says, the main thread looks at the result.
 */
public final class AppProcess implements AutoCloseable {

  private static final long KILL_SECONDS = 10;

  private final String name;
  private final Process process;
  private final OutputTail tail = new OutputTail();
  private final Map<Phase, Latency> latencies = new ConcurrentHashMap<>();

  /** Written by the thread that reads the application's output, as are the next three. */
  private volatile int port;

  private volatile Figures figures = Figures.NONE;
  private volatile String error = "";
  private volatile boolean isFinished;

  private AppProcess(String name, Process process) {
    this.name = name;
    this.process = process;
  }

  /**
   * Starts an application.
   *
   * @param name how messages call it
   * @param home its working directory, not on the disk that will stall
   * @param options JVM options
   */
  public static AppProcess start(String name, Path home, List<String> options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(options);
    command.add("-cp");
    command.add(absoluteClassPath());
    command.add(PlayApp.class.getName());
    command.add(home.toString());
    Process process = new ProcessBuilder(command).directory(home.toFile()).start();
    AppProcess app = new AppProcess(name, process);
    app.follow(process.getInputStream(), app::understand);
    app.follow(process.getErrorStream(), app.tail::add);
    return app;
  }

  private static String absoluteClassPath() {
    List<String> entries = new ArrayList<>();
    for (String entry : System.getProperty("java.class.path").split(File.pathSeparator, -1)) {
      entries.add(new File(entry).getAbsolutePath());
    }
    return String.join(File.pathSeparator, entries);
  }

  private void follow(InputStream stream, Consumer<String> lines) {
    Thread thread = new Thread(() -> readLines(stream, lines), "demo-output-" + name);
    thread.setDaemon(true);
    thread.start();
  }

  private void readLines(InputStream stream, Consumer<String> lines) {
    try (BufferedReader reader =
        new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))) {
      for (String line = reader.readLine(); line != null; line = reader.readLine()) {
        lines.accept(line);
      }
    } catch (IOException e) {
      tail.add("(its output broke off: " + e.getMessage() + ")");
    }
  }

  private void understand(String line) {
    String[] words = line.split(" ", 2);
    String rest = words.length == 2 ? words[1] : "";
    try {
      switch (words[0]) {
        case "ready" -> port = Integer.parseInt(rest);
        case "figures" -> figures = Figures.parse(rest);
        case "latency" -> {
          String[] phaseAndNumbers = rest.split(" ", 2);
          latencies.put(Phase.titled(phaseAndNumbers[0]), Latency.parse(phaseAndNumbers[1]));
        }
        case "error" -> error = rest;
        case "finished" -> isFinished = true;
        default -> tail.add(line);
      }
    } catch (IllegalArgumentException e) {
      tail.add(line + " (" + e.getMessage() + ")");
    }
  }

  String name() {
    return name;
  }

  /** The port it listens on, 0 before it does. */
  public int port() {
    return port;
  }

  /** The newest figures it told. */
  public Figures figures() {
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

  public boolean isFinished() {
    return isFinished;
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Sends one command. */
  public void tell(String command) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Throws with the end of its output when it is gone without having finished. */
  public void requireAlive() {
    if (!process.isAlive() && !isFinished) {
      throw failure("has died with exit code " + process.exitValue());
    }
  }

  /** A failure of this application, with the end of its output. */
  DemoFailure failure(String what) {
    return new DemoFailure("The " + name + " application " + what + ". It said:\n" + tail);
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
