package dev.forebay.javaagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.ConfigFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

  private final ConfigFindings findings = new ConfigFindings();

  private Arguments parse(String text) {
    return Arguments.parse(text, findings);
  }

  private List<String> errors() {
    List<String> texts = new ArrayList<>();
    findings.reportTo(texts::add);
    return texts;
  }

  /** Colons separate what the JVM wants separated by commas. */
  @Test
  void everyNameIsHeard() {
    Arguments arguments =
        parse(
            "what=gc*=info:safepoint=debug,decorators=uptime:level:tags,file=gc.log,memory=8 MB,"
                + "spoolDirectory=/mnt/spool,maxFileSize=1GB,maxHistory=7,totalSizeCap=3 GB,"
                + "shipping=apart,shippingFallback=never");
    assertThat(errors()).isEmpty();
    assertThat(arguments)
        .isEqualTo(
            new Arguments(
                "gc.log",
                "gc*=info,safepoint=debug",
                "uptime,level,tags",
                8L << 20,
                "/mnt/spool",
                1L << 30,
                7,
                3L << 30,
                "apart",
                "never"));
    assertThat(arguments.isApart()).isTrue();
  }

  @ParameterizedTest
  @ValueSource(strings = {"16M", "16m", "16MB", "16 MB", "16384k", "16777216"})
  void sizesAreWrittenAsForLogbackOrTheJvm(String size) {
    assertThat(parse("file=gc.log,memory=" + size).memory()).isEqualTo(16L << 20);
    assertThat(errors()).isEmpty();
  }

  /** Or else a size costs the whole log. */
  @Test
  void aNumberThatIsNoneIsTheDefault() {
    Arguments arguments = parse("file=gc.log,memory=much,maxHistory=0,totalSizeCap=");
    assertThat(findings.hasErrors()).isFalse();
    assertThat(arguments.decorators()).isEqualTo("time,uptime,level,tags");
    assertThat(arguments.memory()).isEqualTo(16L << 20);
    assertThat(arguments.maxHistory()).isEqualTo(30);
    assertThat(arguments.totalSizeCap()).isEqualTo(100L << 20);
  }

  @Test
  void adviceHasTheFormOfTheArguments() {
    assertThat(
            LogStart.asArgument(
                "remove that -Xlog, and write \"gc=info,safepoint=info\" into <what>, or a <memory>"))
        .isEqualTo(
            "remove that -Xlog, and write \"gc=info:safepoint=info\" into what, or a memory");
    assertThat(LogStart.asArgument("write <shipping>inside</shipping>"))
        .isEqualTo("write shipping=inside");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "''                          | file is missing: write -javaagent:",
        "file=gc.%t.log              | file is \"gc.%t.log\": % has no meaning here; write",
        "file=gc.log,decorators=u,l  | \"l\" is not name=value; separate several values by colons",
        "file=gc.log,level=debug     | \"level\" is unknown: must be one of file, what, decorators,",
        "file=gc.log,file=b.log      | file is there twice: write it once",
        "file=gc.log,memory=-1       | memory is \"-1\": must be a size, such as 20MB; the default is used",
        "file=gc.log,maxHistory=0    | maxHistory is \"0\": must be a number of days, 1 or more",
        "file=gc.log,maxHistory=4294967296 | maxHistory is \"4294967296\": must be a number of days",
      })
  void aMistakeIsNamedWithItsValueAndWhatToWrite(String text, String message) {
    Arguments unused = parse(text);
    assertThat(errors()).singleElement().asString().contains(message);
  }

  @ParameterizedTest
  @CsvSource({
    "/var/log/gc.log, /var/log/gc.%d{yyyy-MM-dd}.%i.log",
    "/var/log.d/gc, /var/log.d/gc.%d{yyyy-MM-dd}.%i",
    "gc.app.log, gc.app.%d{yyyy-MM-dd}.%i.log",
    "/var/.gc, /var/.gc.%d{yyyy-MM-dd}.%i",
  })
  void archivesKeepTheExtension(String file, String pattern) {
    assertThat(parse("file=" + file).archivePattern()).isEqualTo(pattern);
  }

  private static final Pattern CODE = Pattern.compile("`(\\w+)`");

  @Test
  void everyArgumentIsThereWithItsDefault() throws IOException {
    Map<String, String> defaults = new LinkedHashMap<>();
    for (String row : table().lines().filter(line -> line.startsWith("| `")).toList()) {
      String[] cells = row.split("\\|", -1);
      CODE.matcher(cells[1])
          .results()
          .forEach(name -> defaults.put(name.group(1), cells[2].strip().replace("`", "")));
    }

    assertThat(defaults.keySet()).containsExactlyInAnyOrderElementsOf(Arguments.NAMES);
    StringBuilder text = new StringBuilder("file=/gc.log");
    defaults.forEach(
        (name, value) -> {
          if (!value.equals("required") && !value.equals("as above")) {
            text.append(',').append(name).append('=').append(value);
          }
        });
    assertThat(text).contains("maxFileSize=", "maxHistory=", "totalSizeCap=");
    assertThat(parse(text.toString())).isEqualTo(parse("file=/gc.log"));
  }

  private static String table() throws IOException {
    Path page = Path.of("src/docs/jvm-log.md");
    Path root =
        Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
            .filter(path -> Files.exists(path.resolve(page)))
            .findFirst()
            .orElseThrow();
    return Files.readString(root.resolve(page)).split("## Any JVM", 2)[1];
  }
}
