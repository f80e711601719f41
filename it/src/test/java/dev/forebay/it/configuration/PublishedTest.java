package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.Documents;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What the POMs say of the artifacts that users get. */
class PublishedTest {

  private static final String[] MODULES = {"appender-core", "appender-tiered"};

  private static final Pattern ARTIFACT = Pattern.compile("<artifactId>([^<]*)</artifactId>");
  private static final Pattern INCLUDED = Pattern.compile("<include>(dev\\.[^<]*)</include>");
  private static final Pattern MODULE = Pattern.compile("<module>([^<]*)</module>");
  private static final Pattern EXPORTED = Pattern.compile("(?m)^  exports (\\S+);");
  private static final Pattern PACKAGE = Pattern.compile("(?m)^package (\\S+);");

  /** A public type with its comment and annotations: 1 the comment, 2 the name. */
  private static final Pattern TYPE =
      Pattern.compile(
          "(/\\*\\*(?:(?!\\*/).)*\\*/)\\s*(?:@[^\\n]*\\n\\s*)*public (?:(?:abstract|final|sealed|static) )*"
              + "(?:class|enum|interface|record) (\\w+)",
          Pattern.DOTALL);

  /**
   * Javadoc shows the API and nothing else. A new public type that is API is added to the profile
   * "release" in src/build/pom.xml, any other has the tag {@code @hidden}.
   */
  @Test
  void theApiIsWhatJavadocShowsAndWhatIsComparedWithTheLastRelease() throws IOException {
    List<String> exported = new ArrayList<>();
    for (Path module : Documents.files(9, "module-info.java", MODULES)) {
      exported.addAll(all(EXPORTED, Files.readString(module)));
    }
    List<String> shown = new ArrayList<>();
    for (Path source : Documents.files(12, ".java", MODULES)) {
      if (source
          .toString()
          .matches(
              ".*(core|tiered|micrometer|json|starter|dropwizard|access|kafka|otlp)/src/main/java/.*")) {
        String text = Files.readString(source);
        String inPackage = all(PACKAGE, text).stream().findFirst().orElse("");
        if (exported.contains(inPackage)
            || inPackage.matches(
                "dev.forebay.(boot|micrometer|json|dropwizard|access|kafka|otlp)")) {
          TYPE.matcher(text)
              .results()
              .filter(type -> !type.group(1).contains("@hidden"))
              .forEach(type -> shown.add(inPackage + "." + type.group(2)));
        }
      }
    }

    assertThat(shown).isNotEmpty();
    assertThat(all(INCLUDED, read("src/build/pom.xml"))).containsExactlyInAnyOrderElementsOf(shown);
  }

  @Test
  void theBomManagesEveryArtifactThatIsPublished() throws IOException {
    List<String> artifacts = new ArrayList<>();
    List<String> directories = new ArrayList<>();
    for (Path pom : Documents.files(3, "pom.xml", MODULES)) {
      if (!pom.toString().contains("/target/")) {
        artifacts.add(all(ARTIFACT, Files.readString(pom)).get(1)); // after its parent's
        directories.add(Documents.root().relativize(pom.getParent()).toString());
      }
    }
    String root = read("pom.xml");
    String released =
        root.substring(0, root.indexOf("<profiles>"))
            + root.replaceFirst("(?s).*<id>release</id>(.*?)</profile>.*", "$1");

    assertThat(
            all(
                ARTIFACT,
                read("src/build/bom/pom.xml")
                    .replaceAll("(?s)^.*?<dependencyManagement>|<build>.*", "")))
        .containsExactlyInAnyOrderElementsOf(artifacts);
    assertThat(all(MODULE, released))
        .containsAll(directories)
        .filteredOn(module -> module.startsWith("it") || module.equals("benchmarks"))
        .as("for the unit tests, not published")
        .containsExactly("it/host");
  }

  private static String read(String file) throws IOException {
    return Files.readString(Documents.root().resolve(file));
  }

  private static List<String> all(Pattern pattern, String text) {
    Function<MatchResult, String> name = found -> found.group(1);
    return pattern.matcher(text).results().map(name).toList();
  }
}
