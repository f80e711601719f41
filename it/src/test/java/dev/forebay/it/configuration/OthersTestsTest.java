package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Every test that others-tests.md names exists. */
class OthersTestsTest {

  private static final Pattern NAMED = Pattern.compile("`(\\w+)\\.(\\w+)`");
  private static final int LEAST_COLUMNS = 2;

  @Test
  void everyRowNamesTestsThatExist() throws IOException {
    Map<String, Path> sources = sources();
    List<String> missing = new ArrayList<>();
    List<String[]> rows = Documents.table(Documents.read("others-tests.md"));
    assertThat(rows).hasSizeGreaterThan(50);
    for (String[] row : rows) {
      // The bar at the end of a row leaves an empty cell.
      assertThat(row).as(row[0]).hasSizeGreaterThan(LEAST_COLUMNS);
      Matcher named = NAMED.matcher(row[row.length - 2]);
      assertThat(named.find()).as("a test of ours for: %s", row[0]).isTrue();
      do {
        Path source = sources.get(named.group(1) + ".java");
        if (source == null
            || !Files.readString(source).contains("  void " + named.group(2) + "(")) {
          missing.add(named.group());
        }
      } while (named.find());
    }
    assertThat(missing).isEmpty();
  }

  private static Map<String, Path> sources() throws IOException {
    try (Stream<Path> all = Files.walk(Documents.root())) {
      return all.filter(path -> path.toString().matches(".*/src/test/java/.*\\.java"))
          .filter(path -> path.getFileName().toString().matches(".*(Test|IT)\\.java"))
          .collect(
              Collectors.toMap(
                  path -> path.getFileName().toString(), path -> path, (one, other) -> one));
    }
  }
}
