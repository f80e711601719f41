package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.KafkaPeer;
import dev.forebay.benchmarks.lab.OtlpPeer;
import dev.forebay.benchmarks.lab.Peer;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** What the JVM that measures a peer has to be started with. */
public final class PeerLibraries {

  /**
   * Class path and options of a JVM.
   *
   * @param classPath jars that come before that of the benchmarks
   * @param jvmOptions what the peer needs, or what makes it fast by its manual
   */
  public record Launch(List<Path> classPath, List<String> jvmOptions) {

    /** Keeps lists of its own. */
    public Launch {
      classPath = List.copyOf(classPath);
      jvmOptions = List.copyOf(jvmOptions);
    }
  }

  /** Logback is on the class path of every child. */
  private static final String PROVIDER = "-Dslf4j.provider=";

  private static final List<String> LOGBACK =
      List.of(PROVIDER + "ch.qos.logback.classic.spi.LogbackServiceProvider");

  private static final List<String> TINYLOG =
      List.of(PROVIDER + "org.tinylog.slf4j.TinylogSlf4jServiceProvider");

  private static final List<String> LOG4J2 =
      List.of(
          PROVIDER + "org.apache.logging.slf4j.SLF4JServiceProvider",
          "-Dlog4j2.contextSelector="
              + "org.apache.logging.log4j.core.async.BasicAsyncLoggerContextSelector",
          "-Dlog4j2.asyncLoggerRingBufferSize=262144",
          "-Dlog4j2.enableThreadlocals=true",
          "-Dlog4j2.garbagefreeThreadContextMap=true");

  /** The flags that its vendor asks for, and none of the statistics that it sends. */
  private static final List<String> CHRONICLE =
      List.of(
          LOGBACK.get(0),
          "-Dchronicle.analytics.disable=true",
          "--add-exports=java.base/jdk.internal.ref=ALL-UNNAMED",
          "--add-exports=java.base/sun.nio.ch=ALL-UNNAMED",
          "--add-exports=jdk.unsupported/sun.misc=ALL-UNNAMED",
          "--add-exports=jdk.compiler/com.sun.tools.javac.file=ALL-UNNAMED",
          "--add-opens=jdk.compiler/com.sun.tools.javac=ALL-UNNAMED",
          "--add-opens=java.base/java.lang=ALL-UNNAMED",
          "--add-opens=java.base/java.lang.reflect=ALL-UNNAMED",
          "--add-opens=java.base/java.io=ALL-UNNAMED",
          "--add-opens=java.base/java.util=ALL-UNNAMED");

  private static final String ROOT = "/peers/";

  private PeerLibraries() {}

  /**
   * That of a peer.
   *
   * @param extractInto directory where its jars are put, unless they are there already
   */
  public static Launch of(Peer peer, Path extractInto) throws IOException {
    return switch (peer.libraries()) {
      case "logback" -> new Launch(List.of(), LOGBACK);
      case "tinylog" -> new Launch(extracted(peer.libraries(), extractInto), TINYLOG);
      case "chronicle" -> new Launch(extracted(peer.libraries(), extractInto), CHRONICLE);
      default -> new Launch(extracted(peer.libraries(), extractInto), LOG4J2);
    };
  }

  /** The same for {@code lab kafka}, and for a broker. */
  public static Launch of(KafkaPeer peer, Path extractInto) throws IOException {
    List<Path> all = new ArrayList<>(extracted(Peer.LOG4J2.libraries(), extractInto));
    all.addAll(extracted("kafka", extractInto)); // a broker needs both
    // The loggers of Log4j2 are not asynchronous here.
    return new Launch(all, peer == KafkaPeer.LOG4J2 ? LOG4J2.subList(0, 1) : LOGBACK);
  }

  /** The same for {@code lab otlp}. */
  public static Launch of(OtlpPeer peer, Path extractInto) throws IOException {
    boolean isOurs = peer == OtlpPeer.FOREBAY;
    return new Launch(isOurs ? List.of() : extracted("opentelemetry", extractInto), LOGBACK);
  }

  private static List<Path> extracted(String libraries, Path into) throws IOException {
    String set = ROOT + libraries + "/";
    Path directory = Files.createDirectories(into.resolve(libraries));
    List<Path> jars = new ArrayList<>();
    for (String name : index(set)) {
      Path jar = directory.resolve(name);
      if (Files.notExists(jar)) {
        try (InputStream content = resource(set + name)) {
          Files.copy(content, jar);
        }
      }
      jars.add(jar.toAbsolutePath());
    }
    return jars;
  }

  /** The jars of a set, in the order of the class path. */
  private static List<String> index(String set) throws IOException {
    try (InputStream content = resource(set + "index")) {
      return new String(content.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
    }
  }

  private static InputStream resource(String name) throws IOException {
    InputStream content = PeerLibraries.class.getResourceAsStream(name);
    if (content == null) {
      throw new FileNotFoundException("Not in the benchmarks' jar: " + name);
    }
    return content;
  }
}
