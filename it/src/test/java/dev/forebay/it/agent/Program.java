package dev.forebay.it.agent;

import dev.forebay.host.Await;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A Java program in a process of its own, which reads commands and says things. */
public final class Program implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path output;

  private Program(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts one.
   *
   * @param directory an existing one for what it writes
   * @param options of its JVM
   */
  public static Program start(
      Path directory, List<String> options, String classPath, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(List.of(arguments));
    Path output = Files.createTempFile(directory, "output", "");
    Process process =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    return new Program(process, output);
  }

  /** Waits until it has said a text. */
  public void awaitSaid(String text) {
    boolean unused = Await.within(PATIENCE, () -> output().contains(text) || !isAlive());
    if (!output().contains(text)) {
      throw new AssertionError("does not say " + text + ": " + output());
    }
  }

  /** Sends it a line. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** Ends its input. */
  void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Ends its input, and waits for its end; the exit code. */
  public int end() throws IOException, InterruptedException {
    closeInput();
    return awaitEnd();
  }

  /** Kills it and waits until it is gone. */
  void kill() throws InterruptedException {
    process.destroyForcibly();
    int unused = awaitEnd();
  }

  private int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end: " + output());
    }
    return process.exitValue();
  }

  long pid() {
    return process.pid();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  /** What it wrote to its standard output and error. */
  public String output() {
    try {
      return Files.readString(output);
    } catch (IOException e) {
      return e.toString();
    }
  }

  @Override
  public void close() {
    process.destroyForcibly();
  }
}
