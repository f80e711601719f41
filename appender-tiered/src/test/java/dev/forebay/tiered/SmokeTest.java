package dev.forebay.tiered;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.rolling.RolloverFailure;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.disk.OpenFiles;
import java.io.IOException;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What any system must do: start, log, roll, be killed, start again. Needs nothing of Linux. */
@Tag("once")
class SmokeTest {

  /** Lines of a life; they fill several files. */
  private static final int MANY = 5000;

  private static final String BREACH = "is open: ";

  @TempDir Path directory;

  @ParameterizedTest
  @ValueSource(strings = {"as it is", "of Windows"})
  void afterAKillTheNextStartHasEachLineOnceInFilesThatRoll(String disk) throws Exception {
    Files.createDirectory(Path.of(spool())); // else spools are in the heap
    Path output = directory.resolve("output");
    Process killed =
        new ProcessBuilder(ChildJvm.command(List.of(), Life.class, log(), spool(), "killed", disk))
            .redirectErrorStream(true)
            .redirectOutput(output.toFile())
            .start();
    try {
      Await.until("logged", () -> !killed.isAlive() || numbers("killed").size() >= MANY);
    } finally {
      killed.destroyForcibly();
    }
    assertThat(killed.waitFor(30, TimeUnit.SECONDS)).isTrue();
    int before = numbers("killed").size();
    assertThat(before).as(Files.readString(output)).isPositive();
    assertThat(ChildJvm.run(Life.class, log(), spool(), "next", disk)).doesNotContain(BREACH);

    List<Integer> survived = numbers("killed");
    assertThat(survived).hasSizeGreaterThanOrEqualTo(before);
    assertThat(survived).isEqualTo(IntStream.range(0, survived.size()).boxed().toList());
    assertThat(numbers("next")).isEqualTo(IntStream.range(0, MANY).boxed().toList());
    assertThat(logs()).hasSizeGreaterThan(2);
    assertThat(output).content().doesNotContain(BREACH);
    try (Stream<Path> left = Files.list(Path.of(spool()))) {
      assertThat(left).isEmpty();
    }
  }

  private String log() {
    return directory.resolve("logs").toString();
  }

  private String spool() {
    return directory.resolve("spool").toString();
  }

  private List<Path> logs() throws IOException {
    if (!Files.exists(Path.of(log()))) {
      return List.of();
    }
    try (Stream<Path> files = Files.list(Path.of(log()))) {
      return files.filter(file -> file.toString().endsWith(".log")).toList();
    }
  }

  private List<Integer> numbers(String life) throws IOException {
    List<Integer> numbers = new ArrayList<>();
    for (Path file : logs()) {
      try (Stream<String> lines = Files.lines(file)) {
        lines
            .filter(line -> line.matches(life + " line \\d+"))
            .forEach(line -> numbers.add(Integer.valueOf(line.replaceFirst(".* ", ""))));
      } catch (NoSuchFileException e) {
        // rolled meanwhile
      }
    }
    return numbers.stream().sorted().toList();
  }

  static final class Life {

    private Life() {}

    public static void main(String[] args) throws Exception {
      boolean isOfWindows = args[3].equals("of Windows");
      if (isOfWindows) {
        NioDisk.replaceWith(ofWindows());
      }
      LoggerContext context = new LoggerContext();
      String logs = args[0].replace('\\', '/');
      String elements =
          """
          <file>%1$s/app.log</file>
          <spoolDirectory>%2$s</spoolDirectory>
          <appendTimeout>30 seconds</appendTimeout>
          <maxFlushTime>30 seconds</maxFlushTime>
          <rollingPolicy class="%3$s">
            <fileNamePattern>%1$s/app.%%d.%%i.log</fileNamePattern>
            <maxFileSize>16KB</maxFileSize>
          </rollingPolicy>
          """
              .formatted(
                  logs,
                  args[1].replace('\\', '/'),
                  isOfWindows
                      ? Rolling.class.getName()
                      : SizeAndTimeBasedRollingPolicy.class.getName());
      TieredAppender unused = Joran.tiered(context, elements);
      Logger logger = context.getLogger("smoke");
      for (int i = 0; args[2].equals("killed") || i < MANY; i++) {
        logger.info("{} line {}", args[2], i);
        if (i % 20 == 0) {
          Await.pass(Duration.ofMillis(1));
        }
      }
      context.stop();
    }

    /**
     * What our code asks of it: files have no identity, owner or mode, and what is open can neither
     * be moved nor deleted. Others use the real one, where this is seen.
     */
    private static Disk ofWindows() {
      NioDisk real = new NioDisk();
      return (Disk)
          Proxy.newProxyInstance(
              Disk.class.getClassLoader(),
              new Class<?>[] {Disk.class},
              (proxy, method, arguments) ->
                  switch (method.getName()) {
                    case "isInMemory", "hasTmpfs", "movesOpenFiles" -> false;
                    case "isRemoved" -> true;
                    case "userId" -> -1;
                    case "forceDirectory" -> null;
                    default -> {
                      if (method.getName().matches("move|delete")) {
                        for (Object path : arguments) {
                          requireClosed((Path) path);
                        }
                      }
                      try {
                        Object answer = method.invoke(real, arguments);
                        yield answer instanceof FileInfo i
                            ? new FileInfo(i.kind(), i.sizeBytes(), "", -1, -1, -1, i.modifiedMs())
                            : answer;
                      } catch (InvocationTargetException e) {
                        throw e.getCause();
                      }
                    }
                  });
    }

    /** Logback's, which does not use our disk. */
    public static final class Rolling<E> extends SizeAndTimeBasedRollingPolicy<E> {
      @Override
      public void rollover() {
        try {
          requireClosed(Path.of(getActiveFileName()));
        } catch (IOException e) {
          throw new RolloverFailure(e.getMessage(), e);
        }
        super.rollover();
      }
    }

    private static void requireClosed(Path path) throws IOException {
      if (Files.exists(Path.of("/proc")) && !OpenFiles.below(path).isEmpty()) {
        System.out.println(BREACH + path);
        throw new FileSystemException(path.toString(), null, "is used by another process");
      }
    }
  }
}
