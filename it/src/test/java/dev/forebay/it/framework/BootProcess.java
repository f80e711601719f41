package dev.forebay.it.framework;

import dev.forebay.host.Await;
import dev.forebay.host.Command;
import dev.forebay.it.support.Numbered;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A Spring Boot application in a process of its own, spoken to over HTTP and by signals. */
public final class BootProcess implements AutoCloseable {

  /** How a JVM ends that was asked to by SIGTERM. */
  public static final int TERMINATED = 128 + 15;

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern READY = Pattern.compile("(?m)^ready (\\d+)$");

  /** What an appender says of itself in JMX; recorded is what only its recorder has or had. */
  public record Account(long offered, long delivered, long dropped, long inFlight, long recorded) {

    public Account {
      if (offered != delivered + dropped + inFlight + recorded) {
        throw new AssertionError("does not add up: " + offered + " events offered, " + delivered);
      }
    }
  }

  private final Process process;
  private final Path output;
  private final HttpClient client = HttpClient.newHttpClient();
  private int port;

  private BootProcess(Process process, Path output) {
    this.process = process;
    this.output = output;
  }

  /**
   * Starts one and does not wait for it.
   *
   * @param output a file for what it says
   * @param options of the JVM first, which begin with one dash, then of Spring
   */
  public static BootProcess launch(Path jar, Path output, String... options) throws IOException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-Xmx192m"));
    // What Tomcat and the JVM put into files is not to outlive the test.
    command.addAll(List.of("-XX:-UsePerfData", "-Djava.io.tmpdir=" + output.resolveSibling("")));
    List.of(options).stream().filter(option -> !option.startsWith("--")).forEach(command::add);
    command.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
    command.add("--spring.main.banner-mode=off");
    List.of(options).stream().filter(option -> option.startsWith("--")).forEach(command::add);
    Process process =
        new ProcessBuilder(command)
            .directory(output.resolveSibling("").toFile())
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(output.toFile()))
            .start();
    return new BootProcess(process, output);
  }

  /** Starts one and waits until it serves requests. */
  public static BootProcess start(Path jar, Path output, String... options) throws Exception {
    Files.deleteIfExists(output);
    BootProcess boot = launch(jar, output, options);
    try {
      boot.awaitReady();
      return boot;
    } catch (Exception | AssertionError e) {
      boot.close();
      throw e;
    }
  }

  private void awaitReady() throws Exception {
    boolean said =
        Await.within(PATIENCE, () -> READY.matcher(output()).find() || !process.isAlive());
    Matcher ready = READY.matcher(output());
    if (!said || !ready.find()) {
      throw new AssertionError("not ready: " + output());
    }
    port = Integer.parseInt(ready.group(1));
  }

  /** Where it serves requests. */
  public String url() {
    return "http://127.0.0.1:" + port;
  }

  public String get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher = HttpRequest.BodyPublishers.ofString(body);
    return send(request(path).header("Content-Type", "text/plain").POST(publisher));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create(url() + path)).timeout(PATIENCE);
  }

  private String send(HttpRequest.Builder request) throws IOException, InterruptedException {
    HttpResponse<String> answer =
        client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IOException(answer.statusCode() + " " + answer.body());
    }
    return answer.body();
  }

  /** Has it log numbered messages within one request; the thread that did. */
  public String log(String producer, long from, long count)
      throws IOException, InterruptedException {
    return post("/log", numbered(producer, from, count));
  }

  /** Gives it numbered messages to log when its context is closed. */
  public void sayAtTheEnd(String producer, long count) throws IOException, InterruptedException {
    post("/farewell", numbered(producer, 0, count));
  }

  private static String numbered(String producer, long from, long count) {
    List<String> lines =
        LongStream.range(from, from + count)
            .mapToObj(number -> new Numbered(producer, number).text())
            .toList();
    return String.join("\n", lines);
  }

  /** The accounts of all appenders. */
  public Map<String, Account> accounts() throws IOException, InterruptedException {
    return accounts("/account");
  }

  /** The accounts after everything logged so far has been delivered. */
  public Map<String, Account> flushedAccounts() throws IOException, InterruptedException {
    return accounts("/flushed");
  }

  private Map<String, Account> accounts(String path) throws IOException, InterruptedException {
    Map<String, Account> accounts = new TreeMap<>();
    for (String line : get(path).lines().toList()) {
      String[] words = line.split(" ", -1);
      long[] numbers = Stream.of(words).skip(1).mapToLong(Long::parseLong).toArray();
      accounts.put(
          words[0], new Account(numbers[0], numbers[1], numbers[2], numbers[3], numbers[4]));
    }
    return accounts;
  }

  /** Warnings and errors among Logback's statuses. */
  public List<String> problems() throws IOException, InterruptedException {
    return get("/statuses").lines().filter(line -> line.matches("[12] .*")).toList();
  }

  public boolean isAlive() {
    return process.isAlive();
  }

  /** Asks it to end and waits; the exit code. */
  public int terminate() throws IOException, InterruptedException {
    Command.run("kill", "-TERM", String.valueOf(process.pid()));
    return awaitEnd();
  }

  /** Kills it and waits until it is gone. */
  public void kill() throws InterruptedException {
    process.destroyForcibly();
    awaitEnd();
  }

  /** Waits for its end; the exit code. */
  public int awaitEnd() throws InterruptedException {
    if (!process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("does not end: " + output());
    }
    return process.exitValue();
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
