package dev.forebay.it.agent;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A Java program in a process of its own, which reads commands and says things. */
public final class Program implements AutoCloseable {

  /** How a JVM ends that was asked to by SIGTERM. */
  static final int TERMINATED = 128 + 15;

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
    awaitSaid(text, this);
  }

  /** The same of a program that needs another one for it. */
  void awaitSaid(String text, Program other) {
    boolean unused =
        Await.within(PATIENCE, () -> output().contains(text) || !isAlive() || !other.isAlive());
    if (!output().contains(text)) {
      throw new AssertionError("does not say " + text + ": " + other.output() + output());
    }
  }

  /** Sends it a line. */
  public void tell(String line) throws IOException {
    process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
    process.getOutputStream().flush();
  }

  /** A connection to its beans. */
  @SuppressWarnings("BanJNDI") // the address comes from the process itself, and is local
  JMXConnector connect() throws IOException, AttachNotSupportedException {
    VirtualMachine jvm = VirtualMachine.attach(String.valueOf(process.pid()));
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
    } finally {
      jvm.detach();
    }
  }

  /** Waits until its JVM writes a log for an appender. */
  void awaitLogging() throws IOException {
    String jcmd = Path.of(System.getProperty("java.home"), "bin", "jcmd").toString();
    String[] list = {jcmd, String.valueOf(process.pid()), "VM.log", "list"};
    Await.until("the agent: " + output(), () -> Command.run(list).contains("/lines-"));
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

  /** Asks it to end and waits; the exit code. */
  int terminate() throws IOException, InterruptedException {
    Command.run("kill", "-TERM", String.valueOf(process.pid()));
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
