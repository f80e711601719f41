package dev.forebay.boot;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.core.spi.ConfigurationEvent;
import dev.forebay.host.Await;
import dev.forebay.host.ChildJvm;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.WebApplicationType;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;

/** The classes loaded in advance are those that a start needs, and no others. */
class StartClassesTest {

  private static final Pattern LOADING =
      Pattern.compile("\\[(?<thread>\\d+)] (?<name>[\\w.$]+) source:.*");

  @TempDir Path dir;

  private record Loaded(String thread, String name) {}

  /** With one processor, where nothing is loaded in advance. */
  @Test
  void areThoseThatAStartLoads() throws Exception {
    Path list = dir.resolve("loaded");
    ChildJvm.run(
        List.of("-XX:ActiveProcessorCount=1", "-Xlog:class+load:file=" + list + ":tid:filecount=0"),
        App.class,
        dir.toString());
    List<Loaded> all = new ArrayList<>();
    for (String line : Files.readAllLines(list)) {
      Matcher loading = LOADING.matcher(line);
      if (loading.matches()) { // no class of a lambda
        all.add(new Loaded(loading.group("thread"), loading.group("name")));
      }
    }
    List<String> names = all.stream().map(Loaded::name).toList();
    List<String> inAdvance = listed();
    assertThat(names).containsAll(inAdvance).contains(StartClasses.class.getName());
    int asked = names.indexOf(StartClasses.class.getName());
    int done = names.indexOf(ConfigurationEvent.class.getName());
    String main = all.get(asked).thread();
    assertThat(all.subList(asked + 1, done).stream().filter(one -> one.thread().equals(main)))
        .extracting(Loaded::name)
        .filteredOn(name -> name.startsWith("dev.forebay."))
        .isSubsetOf(inAdvance)
        .hasSizeGreaterThan(inAdvance.size() / 2);
  }

  private static List<String> listed() throws IOException {
    try (InputStream list = StartClasses.class.getResourceAsStream(StartClasses.LIST)) {
      return new String(list.readAllBytes(), StandardCharsets.US_ASCII).lines().toList();
    }
  }

  static final class App {
    private App() {}

    public static void main(String[] args) {
      Path log = Path.of(args[0], "app.log");
      try (ConfigurableApplicationContext app =
          new SpringApplicationBuilder(Object.class)
              .web(WebApplicationType.NONE)
              .run(
                  "--spring.main.banner-mode=off",
                  "--forebay.spool-directory=" + args[0],
                  "--logging.file.name=" + log)) {
        Await.until("a line is in the log", () -> app.isActive() && Files.exists(log));
      }
    }
  }
}
