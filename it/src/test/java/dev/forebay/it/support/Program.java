package dev.forebay.it.support;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import dev.forebay.host.Await;
import dev.forebay.host.Command;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;

/** A program in a process of its own, which reads commands and says things. */
public final class Program implements AutoCloseable {

  /** How a JVM ends that was asked to by SIGTERM. */
  public static final int TERMINATED = 128 + 15;

  /** Options for a quick start, and nothing that writes files of its own. */
  public static final List<String> QUICK =
      List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData");

  private static final Duration PATIENCE = Duration.ofMinutes(2);

  private final Process process;
  private final Path output;

  private Program(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /** The command of this JDK of that name. */
  public static String ofJdk(String name) {
    return Path.of(System.getProperty("java.home"), "bin", name).toString();
  }

  /** The class path of this test. */
  public static String classPath() {
    return System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
  }

  /** Runs a command in an existing directory, which gets its file "output". */
  public static Program start(Path directory, List<String> command) throws IOException {
    Path output = directory.resolve("output");
    ProcessBuilder builder =
        new ProcessBuilder(command)
            .directory(directory.toFile())
            .redirectErrorStream(true)
            .redirectOutput(output.toFile());
    builder.environment().remove("FOREBAY_SKIPS"); // Spring Boot would take it for a property
    return new Program(builder.start(), output);
  }

  /** Runs a main class with these options of its JVM, which wants no other collector. */
  public static Program start(
      Path directory, List<String> options, String classPath, String main, String... arguments)
      throws IOException {
    List<String> command = new ArrayList<>(List.of(ofJdk("java")));
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:-UsePerfData"));
    command.add("-Djava.io.tmpdir=" + directory);
    command.addAll(options);
    command.addAll(List.of("-cp", classPath, main));
    command.addAll(List.of(arguments));
    return start(directory, command);
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

  /** A connection to its beans. */
  @SuppressWarnings("BanJNDI") // the address comes from the process itself, and is local
  public JMXConnector connect() throws IOException, AttachNotSupportedException {
    VirtualMachine jvm = VirtualMachine.attach(String.valueOf(process.pid()));
    try {
      return JMXConnectorFactory.connect(new JMXServiceURL(jvm.startLocalManagementAgent()));
    } finally {
      jvm.detach();
    }
  }

  /** Ends its input. */
  public void closeInput() throws IOException {
    process.getOutputStream().close();
  }

  /** Ends its input, and waits for its end; the exit code. */
  public int end() throws IOException, InterruptedException {
    closeInput();
    return awaitEnd();
  }

  /** Asks it to end and waits; the exit code. */
  public int terminate() throws IOException, InterruptedException {
    signal("TERM");
    return awaitEnd();
  }

  /** Sends it a signal, {@code STOP} for example. */
  public void signal(String name) throws IOException, InterruptedException {
    Command.run("kill", "-" + name, String.valueOf(process.pid()));
  }

  /** Kills it, and what it has started, and waits until they are gone. */
  public void kill() throws IOException, InterruptedException {
    List<ProcessHandle> within = process.descendants().toList();
    close();
    int unused = awaitEnd();
    Await.until("all are gone", () -> within.stream().noneMatch(ProcessHandle::isAlive));
  }

  /** Waits for its end; the exit code. */
  public int awaitEnd() throws IOException, InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      String stacks = Command.run(ofJdk("jstack"), String.valueOf(process.pid()));
      close();
      throw new AssertionError("does not end: " + stacks + output());
    }
    return process.exitValue();
  }

  public long pid() {
    return process.pid();
  }

  /**
   * Whether nothing of a process's own runs any more. While a disk hangs, the kernel cannot end one
   * of whose threads waits for it; but its first thread is gone once its shutdown hooks have ended.
   */
  public static boolean isMainThreadGone(long pid) throws IOException {
    try {
      String stat = Files.readString(Path.of("/proc/" + pid + "/stat"));
      return stat.charAt(stat.lastIndexOf(')') + 2) == 'Z';
    } catch (NoSuchFileException e) {
      return true;
    }
  }

  public boolean isAlive() {
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
    process.descendants().forEach(ProcessHandle::destroyForcibly); // of a tracer
    process.destroyForcibly();
  }
}
