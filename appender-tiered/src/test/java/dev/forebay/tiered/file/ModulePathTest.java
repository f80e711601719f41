package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.File;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneId;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * On the module path the limit of Logback's policy by size and time, and its remover, are hidden;
 * what needs them says so.
 */
@Tag("once")
class ModulePathTest {

  private static final List<String> MODULES =
      List.of("appender-", "logback-c", "slf4j-api", "jspecify");

  @TempDir Path directory;

  @Test
  void rollingBySizeAndTimeIsAskedOnceABatchAndWaitsForItsCleanUp() throws Exception {
    Path old =
        directory.resolve("app." + LocalDate.now(ZoneId.systemDefault()).minusDays(9) + ".0.log");
    Files.createFile(old);
    assertThat(child().split("\n"))
        .containsExactly(
            "module true, asked after 262144 bytes, 2 files",
            "<maxFileSize> of ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy is hidden on the module path: start Java with --add-opens ch.qos.logback.core/ch.qos.logback.core.rolling=dev.forebay.tiered, or write <shipping>inside</shipping>");
    assertThat(directory.toFile().list()).hasSize(2).allMatch(name -> name.matches("app.*log"));
  }

  static final class Child {
    private Child() {}

    @SuppressWarnings("SystemOut") // read by the test
    public static void main(String[] args) throws Exception {
      String file = args[0] + "/app.log";
      FileAppender<byte[]> parent = new FileAppender<>();
      parent.setFile(file);
      SizeAndTimeBasedRollingPolicy<byte[]> policy = new SizeAndTimeBasedRollingPolicy<>();
      policy.setContext(new LoggerContext());
      policy.setParent(parent);
      policy.setFileNamePattern(args[0] + "/app.%d.%i.log");
      policy.setMaxFileSize(FileSize.valueOf("500 KB"));
      policy.setMaxHistory(3);
      ByteBuffer nothing = ByteBuffer.allocate(0);
      ShippingListener listener = new ShippingListener() {};
      LogSettings settings =
          new LogSettings(
              new NioDisk(),
              file,
              true,
              policy,
              policy,
              nothing,
              nothing,
              nothing,
              null,
              text -> {},
              listener);
      RollingLog log = new RollingLog(settings, false);
      log.open();
      log.begin();
      log.append(ByteBuffer.wrap("x".repeat(512_000).getBytes(US_ASCII)));
      if (log.isRollDue()) {
        log.roll();
      }
      int files = Path.of(args[0]).toFile().list().length;
      System.out.printf(
          "module %b, asked after %d bytes, %d files%n",
          RollingLog.class.getModule().isNamed(), log.bytesUntilRoll(), files);
      DescribedFiles.of(settings, System.out::println);
      log.stop();
    }
  }

  private String child() throws Exception {
    String classPath = System.getProperty("java.class.path");
    String modules =
        Stream.of(classPath.split(File.pathSeparator))
            .filter(entry -> !entry.contains("test-classes") && !entry.contains("-tests."))
            .filter(entry -> MODULES.stream().anyMatch(entry::contains))
            .collect(Collectors.joining(File.pathSeparator));
    Path tests =
        Path.of(ModulePathTest.class.getProtectionDomain().getCodeSource().getLocation().toURI());
    Process child =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx64m",
                "--module-path",
                modules,
                "--patch-module",
                "dev.forebay.tiered=" + tests,
                "--module",
                "dev.forebay.tiered/" + Child.class.getName(),
                directory.toString())
            .redirectErrorStream(true)
            .start();
    String said = new String(child.getInputStream().readAllBytes(), UTF_8);
    child.waitFor();
    return said.strip();
  }
}
