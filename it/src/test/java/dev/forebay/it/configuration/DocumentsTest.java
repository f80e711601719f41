package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Property;
import dev.forebay.it.support.Documents;
import dev.forebay.observe.DropReason;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.StringReader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.xml.sax.InputSource;

/** The pages name what there is, and their links lead somewhere. */
class DocumentsTest {

  private static final Pattern LINK = Pattern.compile("\\]\\(([^)#]*)#?([^)]*)\\)");
  private static final Pattern HEADING = Pattern.compile("(?m)^#+ (.*)$");
  private static final Pattern TEST = Pattern.compile("`([A-Z]\\w*(?:Test|IT|Stress))`");

  private static final Pattern COMMAND = Pattern.compile("-D(?:it\\.)?test='([\\w*,]+)'");
  private static final Pattern XML = Pattern.compile("(?s)```xml\n(.*?)```");

  @Test
  void everyLinkLeadsSomewhere() throws IOException {
    List<String> broken = new ArrayList<>();
    for (Path page : pages()) {
      for (String[] link : links(Files.readString(page))) {
        Path target = link[0].isEmpty() ? page : page.resolveSibling(link[0]).normalize();
        boolean found = Files.exists(target);
        if (found && !link[1].isEmpty()) {
          found = anchors(Files.readString(target)).contains(link[1]);
        }
        if (!found) {
          broken.add(page.getFileName() + ": " + String.join("#", link));
        }
      }
    }
    assertThat(broken).isEmpty();
  }

  private static List<Path> pages() throws IOException {
    return Documents.files(1, ".md", "", "src/docs", "benchmarks");
  }

  /** File and anchor of each link within the tree. */
  private static List<String[]> links(String page) {
    return LINK.matcher(page)
        .results()
        .map(link -> new String[] {link.group(1), link.group(2)})
        .filter(link -> !link[0].contains(":"))
        .toList();
  }

  /** As GitHub makes them of headings. */
  private static List<String> anchors(String page) {
    return HEADING
        .matcher(page)
        .results()
        .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
        .map(heading -> heading.replaceAll("[^\\w\\- ]", "").replace(' ', '-'))
        .toList();
  }

  @Test
  void everyTestThatAPageNamesExists() throws IOException {
    List<String> classes =
        Documents.files(
                99,
                ".java",
                "appender-core/src", // other tests change targets
                "appender-tiered/src",
                "appender-tiered/tool/src",
                "appender-tiered/otlp/src",
                "appender-tiered/spring-boot-starter/src",
                "it/src",
                "benchmarks/src")
            .stream()
            .map(path -> path.getFileName().toString().replace(".java", ""))
            .toList();
    List<String> named = new ArrayList<>();
    for (Path page : pages()) {
      TEST.matcher(Files.readString(page)).results().map(name -> name.group(1)).forEach(named::add);
    }
    assertThat(named).hasSizeGreaterThan(50).isSubsetOf(classes);
  }

  /** A pattern that matches none would run nothing, and be green. */
  @Test
  void everyCommandRunsTestsThatExist() throws IOException {
    List<Path> tests =
        Documents.files(99, ".java", "appender-core/src/test", "appender-tiered", "it/src/test");
    List<String> patterns =
        COMMAND
            .matcher(Files.readString(Documents.root().resolve("CONTRIBUTING.md")))
            .results()
            .flatMap(found -> Stream.of(found.group(1).split(",")))
            .toList();
    assertThat(patterns)
        .hasSizeGreaterThan(4)
        .allMatch(
            each ->
                tests.stream()
                    .map(path -> path.getFileName().toString().replace(".java", ""))
                    .anyMatch(name -> name.matches(each.replace("*", ".*") + "(Test|IT)?")));
  }

  @Test
  void everyPieceOfXmlCanBePasted() throws Exception {
    List<String> pieces = new ArrayList<>();
    for (Path page : pages()) {
      XML.matcher(Files.readString(page)).results().map(xml -> xml.group(1)).forEach(pieces::add);
    }
    assertThat(pieces).hasSizeGreaterThan(5);
    for (String piece : pieces) {
      DocumentBuilderFactory.newInstance()
          .newDocumentBuilder()
          .parse(new InputSource(new StringReader("<x>" + piece + "</x>")));
    }
  }

  /** Without what has another name, is as in Logback or has no meaning. */
  @Test
  void theExampleOfAllPropertiesHasThem() throws IOException {
    String example =
        Files.readString(Documents.root().resolve("src/examples/tiered-all-properties.xml"));
    assertThat(
            Property.of(TieredAppender.class).stream()
                .map(Property::name)
                .filter(name -> !example.contains("<" + name)))
        .containsExactlyInAnyOrder(
            "queueSize",
            "shutdownGracePeriod",
            "withJansi",
            "left",
            "immediateFlush",
            "bufferSize",
            "rollingPolicy",
            "triggeringPolicy");
  }

  @Test
  void everyReasonForADropIsExplained() throws IOException {
    List<String> explained =
        Documents.table(Documents.read("messages.md")).stream().map(row -> row[0]).toList();
    assertThat(explained)
        .containsAll(Stream.of(DropReason.values()).map(reason -> "`" + reason + "`").toList());
  }

  @Test
  void everyPropertyIsExplained() throws IOException {
    String page = Documents.read("properties.md");
    assertThat(Property.of(TieredAppender.class))
        .hasSizeGreaterThan(30)
        .allMatch(property -> page.contains("`" + property.name() + "`"));
  }
}
