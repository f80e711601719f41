package dev.forebay.it.demo;

import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.host.PipeReader;
import dev.forebay.it.demo.app.PlayApp;
import dev.forebay.it.demo.app.Told;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** The JVM of one application, as {@link PlayApp} describes its input and output. */
final class AppProcess implements AutoCloseable {

  private static final long KILL_SECONDS = 10;

  /** They may still be in the pipe when it is gone. */
  private static final Duration LAST_WORDS = Duration.ofSeconds(1);

  /** Lines of what it printed, for the message when it dies. */
  private static final int TAIL = 30;

  private final String name;
  private final Process process;
  private final Path output;

  /** Written by the thread that reads what it tells. */
  private volatile Told told = Told.NOTHING;

  private AppProcess(String name, Process process, Path output) {
    this.name = name;
    this.process = process;
    this.output = output;
    PipeReader.of(process.getInputStream(), line -> told = Told.parse(line));
  }

  /**
   * Starts an application.
   *
   * @param name how messages call it
   * @param home its working directory, not on the disk that will stall
   * @param options JVM options
   */
  static AppProcess start(String name, Path home, List<String> options) throws IOException {
    return start(name, home, options, PlayApp.class, home.toString());
  }

  /** As the other, of another main class that tells and obeys in the same way. */
  static AppProcess start(
      String name, Path home, List<String> options, Class<?> main, String... arguments)
      throws IOException {
    Path output = home.resolve("output");
    Process process =
        new ProcessBuilder(ChildJvm.command(options, main, arguments))
            .directory(home.toFile())
            .redirectError(output.toFile())
            .start();
    return new AppProcess(name, process, output);
  }

  String name() {
    return name;
  }

  /** The newest of what it told. */
  Told told() {
    return told;
  }

  boolean isUp() {
    return told.port() != 0;
  }

  /** Whether it has said its last words and is gone. */
  boolean hasFinished() {
    return told.hasEnded() && !process.isAlive();
  }

  /** Sends one command. */
  void tell(String command) throws IOException {
    OutputStream input = process.getOutputStream();
    input.write((command + "\n").getBytes(StandardCharsets.UTF_8));
    input.flush();
  }

  /** Throws with the end of its output when it is gone without its last words. */
  void requireAlive() {
    if (!process.isAlive() && !Await.within(LAST_WORDS, () -> told.hasEnded())) {
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
