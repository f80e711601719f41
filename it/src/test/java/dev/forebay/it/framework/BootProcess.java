package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Numbered;
import dev.forebay.it.support.Program;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** A Spring Boot application in a process of its own, spoken to over HTTP and by signals. */
public final class BootProcess implements AutoCloseable {

  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Pattern READY = Pattern.compile("(?m)^ready (\\d+)$");

  /** What an appender says of itself in JMX. */
  public record Account(long offered, long delivered, long dropped, long inFlight) {
    public Account {
      if (offered != delivered + dropped + inFlight) {
        throw new AssertionError("does not add up: " + offered + " events offered, " + delivered);
      }
    }
  }

  private final Program program;
  private final HttpClient client = HttpClient.newHttpClient();
  private final int port;

  private BootProcess(Program program, int port) {
    this.program = program;
    this.port = port;
  }

  /**
   * Starts one.
   *
   * @param directory for what it says, and what Tomcat and the JVM put into files
   * @param options of the JVM begin with one dash, those of Spring with two
   */
  public static Program launch(Path jar, Path directory, String... options) throws IOException {
    List<String> command = new ArrayList<>(List.of(Program.ofJdk("java")));
    command.addAll(Program.QUICK);
    command.addAll(List.of("-Xmx192m", "-Djava.io.tmpdir=" + directory));
    List.of(options).stream().filter(option -> !option.startsWith("--")).forEach(command::add);
    command.addAll(List.of("-jar", jar.toString(), "--server.port=0"));
    command.add("--spring.main.banner-mode=off");
    List.of(options).stream().filter(option -> option.startsWith("--")).forEach(command::add);
    return Program.start(directory, command);
  }

  /** Starts one and waits until it serves requests. */
  public static BootProcess start(Path jar, Path directory, String... options) throws IOException {
    return of(launch(jar, directory, options));
  }

  /** Waits until a program, of another framework perhaps, serves requests. */
  static BootProcess of(Program program) {
    try {
      boolean unused =
          Await.within(
              PATIENCE, () -> READY.matcher(program.output()).find() || !program.isAlive());
      Matcher ready = READY.matcher(program.output());
      assertThat(ready.find()).as(program.output()).isTrue();
      return new BootProcess(program, Integer.parseInt(ready.group(1)));
    } catch (AssertionError e) {
      program.close();
      throw e;
    }
  }

  public String get(String path) throws IOException, InterruptedException {
    return send(request(path).GET());
  }

  /** Without a body. */
  public String post(String path) throws IOException, InterruptedException {
    return send(request(path).POST(HttpRequest.BodyPublishers.noBody()));
  }

  private String post(String path, String body) throws IOException, InterruptedException {
    HttpRequest.BodyPublisher publisher = HttpRequest.BodyPublishers.ofString(body);
    return send(request(path).header("Content-Type", "text/plain").POST(publisher));
  }

  private HttpRequest.Builder request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).timeout(PATIENCE);
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

  /** The accounts of all appenders after everything logged so far has been delivered. */
  public Map<String, Account> flushedAccounts() throws IOException, InterruptedException {
    Map<String, Account> accounts = new TreeMap<>();
    for (String line : get("/flushed").lines().toList()) {
      String[] words = line.split(" ", -1);
      long[] numbers = Stream.of(words).skip(1).mapToLong(Long::parseLong).toArray();
      accounts.put(words[0], new Account(numbers[0], numbers[1], numbers[2], numbers[3]));
    }
    return accounts;
  }

  /** Warnings and errors among Logback's statuses. */
  public List<String> problems() throws IOException, InterruptedException {
    return get("/statuses").lines().filter(line -> line.matches("[12] .*")).toList();
  }

  /** Asks it to end, as one does, and waits for that. */
  public void terminate() throws IOException, InterruptedException {
    assertThat(program.terminate()).as(output()).isEqualTo(Program.TERMINATED);
  }

  public void kill() throws IOException, InterruptedException {
    program.kill();
  }

  /** What it wrote to its standard output and error. */
  public String output() {
    return program.output();
  }

  @Override
  public void close() {
    program.close();
  }
}
