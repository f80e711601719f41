package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * messages.md has an entry for every message that a statement of the sources reports with its text,
 * and no entry for what is in no source. Texts that reach a report through a parameter or an
 * exception are not found here.
 */
class MessagesTest {

  private static final Pattern COMMENT = Pattern.compile("(?s)/\\*.*?\\*/|(?m)(?<=^|\\s)//.*?$");

  /** A text, also one of several parts. */
  private static final Pattern TEXT =
      Pattern.compile("\"(?:[^\"\\\\\n]|\\\\.)*\"(?:\\s*\\+\\s*\"(?:[^\"\\\\\n]|\\\\.)*\")*");

  private static final Pattern REPORT =
      Pattern.compile(
          "(?<!Requests\\.)\\b(warn|error|fatal|addWarn|addError|accept|println|say)\\("
              + "|warnings\\.add\\(|Problem\\(|String (text|shared|failure) =");

  private static final Pattern WORD = Pattern.compile("[A-Za-z]{2,}");

  /**
   * What the statements of one file say.
   *
   * @param all every text of the file
   * @param reported those of each statement that reports
   */
  private record Source(String name, String all, List<String> reported) {

    static Source of(Path file) {
      try {
        String code = COMMENT.matcher(Files.readString(file)).replaceAll("");
        List<String> texts = new ArrayList<>();
        String numbered =
            TEXT.matcher(code)
                .replaceAll(
                    found -> {
                      texts.add(joined(found));
                      return "\"" + (texts.size() - 1) + "\"";
                    });
        List<String> reported =
            Stream.of(numbered.split("[;{}]", -1))
                .filter(statement -> REPORT.matcher(statement).find())
                .map(statement -> textOf(statement, texts))
                .filter(text -> WORD.matcher(text).results().count() > 2)
                .toList();
        return new Source(file.getFileName().toString(), String.join("\n", texts), reported);
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private static String joined(MatchResult found) {
      String text = found.group();
      return text.substring(1, text.length() - 1).replaceAll("\"\\s*\\+\\s*\"", "");
    }

    private static String textOf(String statement, List<String> texts) {
      return Pattern.compile("\"(\\d+)\"")
          .matcher(statement)
          .results()
          .map(number -> texts.get(Integer.parseInt(number.group(1))))
          .collect(Collectors.joining("…"));
    }
  }

  private static List<Source> sources = List.of();

  /** What a message has, part by part. */
  private static List<List<String>> entries = List.of();

  @BeforeAll
  static void read() throws IOException {
    sources =
        Documents.files(
                99,
                ".java",
                "appender-core/src/main/java",
                "appender-tiered/src/main/java",
                "appender-tiered/agent/src/main/java",
                "appender-tiered/spring-boot-starter/src/main/java",
                "appender-tiered/dropwizard/src/main/java",
                "appender-tiered/access/src/main/java",
                "appender-tiered/json/src/main/java",
                "appender-tiered/kafka/src/main/java",
                "appender-tiered/otlp/src/main/java")
            .stream()
            .filter(file -> !file.toString().contains("/inspect/")) // prints for the tool
            .map(Source::of)
            .toList();
    String page = Documents.read("messages.md").split("## Drop reasons", 2)[0];
    entries =
        Documents.table(page).stream()
            .flatMap(row -> Documents.names(row[0]).stream())
            .map(code -> Stream.of(code.split("…")).map(String::strip).toList())
            .toList();
  }

  @Test
  void everyMessageHasAnEntry() {
    List<String> without = new ArrayList<>();
    for (Source source : sources) {
      for (String text : source.reported()) {
        if (entries.stream().noneMatch(parts -> parts.stream().allMatch(text::contains))) {
          without.add(source.name() + ": " + text);
        }
      }
    }
    assertThat(without).isEmpty();
    assertThat(sources.stream().mapToInt(source -> source.reported().size()).sum())
        .isGreaterThan(100);
  }

  @Test
  void everyEntryIsInTheSources() {
    assertThat(entries)
        .hasSizeGreaterThan(80)
        .allMatch(
            parts ->
                sources.stream()
                    .anyMatch(source -> parts.stream().allMatch(source.all()::contains)));
  }
}
