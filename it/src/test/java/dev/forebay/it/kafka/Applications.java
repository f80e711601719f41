package dev.forebay.it.kafka;

import static java.util.stream.Collectors.joining;

import dev.forebay.it.support.Child;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Servers;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;

/**
 * Processes of one program that log into a topic, with durable calls: what a call has returned from
 * is in the spool.
 *
 * @param servers what the applications have as bootstrap servers
 * @param inner more elements of the destination
 * @param client the module in {@code it/servers} whose client they have, or "" for that of this
 *     test
 */
record Applications(Places places, String servers, String topic, String inner, String client) {

  static final String DESTINATION = "dev.forebay.kafka.KafkaDestination";

  /** Threads of each process that logs until it is killed. */
  static final int THREADS = 2;

  static final int PACE = 3;

  /** What "last" logs. */
  static final int LAST = 10;

  Applications(Places places, String servers, String topic, String inner) {
    this(places, servers, topic, inner, "");
  }

  /** The same with the client of Kafka 3 in processes of their own. */
  Applications withOldClient() {
    return new Applications(places, servers, topic, inner, "kafka-clients");
  }

  /** What a destination has for these lines of a client's settings. */
  static String config(String... lines) {
    return Stream.of(lines)
        .map("<producerConfig>%s</producerConfig>"::formatted)
        .collect(joining());
  }

  /** The elements of an appender. */
  String elements(String... more) {
    return """
    <destination class="%s">
      <topic>%s</topic><bootstrapServers>%s</bootstrapServers>%s
    </destination>
    <spoolDirectory>%s</spoolDirectory><fsync>50 milliseconds</fsync>
    <durabilityTimeout>1 minute</durabilityTimeout>%s
    """
            .formatted(DESTINATION, topic, servers, inner, places.spool(), String.join("\n", more))
        + Xml.MESSAGES;
  }

  /** The application in this JVM. */
  Tiered here(String... more) throws Exception {
    return Tiered.with(elements(more));
  }

  /** One in a process of its own, which logs until it is killed or released. */
  Child start(String name, List<String> options, String... around) throws Exception {
    Child.Task task =
        new Child.Task(name, THREADS, Long.MAX_VALUE, Child.EACH_CALL, PACE, "released");
    return start(task, options, around);
  }

  /** One that does as told. */
  Child start(Child.Task task, List<String> options, String... around) throws Exception {
    return start(task, "", options, around);
  }

  /** As the other, with one more element of the appender, or none. */
  Child start(Child.Task task, String more, List<String> options, String... around)
      throws Exception {
    Path directory = places.root().resolve("service"); // a program is known by it
    Path reports = Files.createDirectories(directory.resolve(task.name()));
    String xml =
        Xml.configuration(
            elements(
                "<durability>call</durability><durabilityTimeout>1 minute</durabilityTimeout>",
                more));
    List<String> all = new ArrayList<>(List.of("-cp", classPath()));
    Path quiet = Files.writeString(directory.resolve("quiet.xml"), "<configuration/>");
    all.add("-Dlogback.configurationFile=" + quiet); // of the client's own log
    all.addAll(options);
    List<String> command = new ArrayList<>(List.of("sh", "-c", "cd ..; exec \"$@\"", "sh"));
    command.addAll(List.of(around));
    return Child.startWith(all, task, xml, reports, command.toArray(String[]::new));
  }

  /** One that takes over what the dead ones left, and logs a little; how it ended. */
  String last() throws Exception {
    Child.Task task = new Child.Task("last", 1, LAST, LAST, 0, "stop");
    try (Child last = start(task, List.of())) {
      int code = last.awaitEnd();
      if (code != 0 || last.progress().acked(0) < LAST) {
        throw new AssertionError("ended with " + code + last.status() + last.output());
      }
      return last.status();
    }
  }

  /** That of a process that logs, with the client; jars first, as the class archive wants it. */
  private String classPath() throws ReflectiveOperationException, IOException {
    List<String> all =
        new ArrayList<>(Arrays.asList(Child.classPath().split(File.pathSeparator, -1)));
    all.addAll(shipperJars());
    return Stream.of(true, false)
        .flatMap(jars -> all.stream().filter(entry -> entry.endsWith(".jar") == jars))
        .distinct()
        .collect(joining(File.pathSeparator));
  }

  /** What a process needs that only ships, beside the tool. */
  List<String> shipperJars() throws ReflectiveOperationException, IOException {
    List<String> jars = new ArrayList<>(clientJars());
    jars.add(sourceOf(DESTINATION));
    return jars;
  }

  /** The client, with what compresses. */
  private List<String> clientJars() throws ReflectiveOperationException, IOException {
    if (!client.isEmpty()) {
      String[] jars = Servers.libraries(client).split(File.pathSeparator, -1);
      return Stream.of(jars).filter(jar -> !jar.contains("slf4j")).toList();
    }
    return List.of(
        sourceOf("org.apache.kafka.clients.producer.KafkaProducer"),
        sourceOf("com.github.luben.zstd.Zstd"));
  }

  private static String sourceOf(String type) throws ReflectiveOperationException {
    try {
      return Path.of(
              Class.forName(type).getProtectionDomain().getCodeSource().getLocation().toURI())
          .toString();
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }
}
