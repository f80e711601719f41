package dev.forebay.tool;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** tool.md names the verbs, options and exit codes that there are. */
class DocumentedVerbsTest {

  private final CommandLine tool =
      Main.commandLine(new PrintWriter(Writer.nullWriter()), new PrintWriter(Writer.nullWriter()));
  private String page = "";

  @BeforeEach
  void read() throws IOException {
    Path file = Path.of("src/docs/tool.md");
    Path root =
        Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
            .filter(directory -> Files.exists(directory.resolve(file)))
            .findFirst()
            .orElseThrow();
    String commands = "(?m)^    .*$"; // of Maven and the shell
    page = Files.readString(root.resolve(file)).replaceAll(commands, "");
  }

  private Set<String> found(String regex) {
    return Pattern.compile(regex)
        .matcher(page)
        .results()
        .map(match -> match.group(1))
        .collect(Collectors.toCollection(TreeSet::new));
  }

  @Test
  void verbs() {
    Set<String> verbs = new TreeSet<>(tool.getSubcommands().keySet());
    verbs.remove("help");
    assertThat(found("(?m)^\\| `([a-z-]+)")).isEqualTo(verbs);
  }

  @Test
  void options() {
    Predicate<String> common = name -> name.matches("--help|-h|--version|-V");
    Set<String> options =
        tool.getSubcommands().values().stream()
            .flatMap(verb -> verb.getCommandSpec().options().stream())
            .filter(option -> !option.hidden())
            .flatMap(option -> Stream.of(option.names()))
            .filter(common.negate())
            .collect(Collectors.toCollection(TreeSet::new));
    assertThat(found("[` \\[](--?[a-z][a-z-]*)[` \\]]")).isSubsetOf(options);
    options.remove("--follow"); // the page has its short name
    assertThat(options).allMatch(page::contains);
  }

  @Test
  void exitCodes() {
    Set<String> codes = new TreeSet<>(tool.getCommandSpec().usageMessage().exitCodeList().keySet());
    assertThat(found("(?m)^\\| (\\d) ")).isEqualTo(codes);
  }
}
