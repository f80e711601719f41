package dev.forebay.javaagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.ConfigFindings;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of arguments in jvm-log.md against the code. */
class DocumentedArgumentsTest {

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

  private static Arguments parse(String text) {
    return Arguments.parse(text, new ConfigFindings());
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
