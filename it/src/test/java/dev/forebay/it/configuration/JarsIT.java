package dev.forebay.it.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.it.agent.AgentJar;
import dev.forebay.it.tool.Tool;
import dev.forebay.tiered.TieredAppender;
import java.io.IOException;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What users get beside the classes. */
class JarsIT {

  private static final Pattern DEPENDENCY =
      Pattern.compile(
          "(?s)<dependency>\\s*<groupId>([^<]*)</groupId>\\s*<artifactId>([^<]*)</artifactId>"
              + "(?:(?!</dependency>).)*</dependency>");

  private static final String QUEUE = "dev.forebay.shaded.jctools";

  @ParameterizedTest
  @CsvSource({"core, dev.forebay.NonBlockingAppender", "tiered, dev.forebay.tiered.TieredAppender"})
  void theJarHasItsLicenceItsVersionAndOnlyPackagesOfOurs(String name, Class<?> appender)
      throws Exception {
    Path path = jarOf(appender);
    try (JarFile jar = new JarFile(path.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();
      String version = manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION);

      assertThat(path.getFileName()).hasToString("appender-" + name + "-" + version + ".jar");
      assertThat(jar.stream().map(JarEntry::getName))
          .contains("META-INF/LICENSE")
          .allMatch(entry -> entry.matches("META-INF/.*|module-info.class|dev/|dev/forebay/.*"));
    }
  }

  @Test
  void theToolSaysTheVersionOfTheBuild() throws Exception {
    assertThat(Tool.run("--version").out()).matches("forebay \\d+\\.\\d+\\.\\d+(-SNAPSHOT)?\n");
  }

  /** The queue of JCTools is in a package of ours: no reader of the module sees it. */
  @Test
  void theQueueOfOthersIsNamedAndHidden() throws Exception {
    Path path = jarOf(NonBlockingAppender.class);
    try (JarFile jar = new JarFile(path.toFile())) {
      assertThat(text(jar, "META-INF/NOTICE")).contains("JCTools", "Apache License");
    }
    ModuleDescriptor module =
        ModuleFinder.of(path).find("dev.forebay.core").orElseThrow().descriptor();

    assertThat(module.packages()).anyMatch(name -> name.startsWith(QUEUE));
    assertThat(module.exports()).noneMatch(exported -> exported.source().startsWith(QUEUE));
    assertThat(module.requires().stream().map(ModuleDescriptor.Requires::name))
        .containsExactlyInAnyOrder(
            "java.base",
            "java.management",
            "ch.qos.logback.classic",
            "ch.qos.logback.core",
            "org.slf4j",
            "org.jspecify");
  }

  /** Whose classes are where, below {@code forebay/} in the agent's jar. */
  private static final Map<String, String> OTHERS =
      Map.of(
          "ch/qos/logback/", "Logback",
          "dev/forebay/shaded/jctools/", "JCTools",
          "org/slf4j/", "SLF4J",
          "picocli/", "picocli");

  @Test
  void theJarsThatCarryOthersNameThemAndTheirLicencesAndHaveOneLicenceOfOurs() throws Exception {
    for (Path path : List.of(AgentJar.path(), Tool.jar())) {
      try (JarFile jar = new JarFile(path.toFile())) {
        Set<String> carried = new TreeSet<>();
        for (String name : jar.stream().map(JarEntry::getName).toList()) {
          String entry = name.replaceFirst("^forebay/", "");
          if (entry.endsWith(".class")) {
            carried.add(
                OTHERS.keySet().stream()
                    .filter(entry::startsWith)
                    .findFirst()
                    .map(OTHERS::get)
                    .orElseGet(() -> entry.startsWith("dev/forebay/") ? "Forebay" : entry));
          }
        }
        List<String> expected = new ArrayList<>(List.of("Forebay", "JCTools", "Logback", "SLF4J"));
        if (path.equals(Tool.jar())) {
          expected.add("picocli");
        }

        assertThat(carried).containsExactlyElementsOf(expected);
        assertThat(text(jar, "META-INF/NOTICE")).contains(carried);
        assertThat(jar.stream().map(JarEntry::getName))
            .filteredOn(name -> name.matches("(?i).*(licen[cs]e|notice|copying)[^/]*"))
            .filteredOn(name -> !name.endsWith(".class"))
            .containsExactlyInAnyOrder("META-INF/LICENSE", "META-INF/NOTICE");
        assertThat(text(jar, "META-INF/LICENSE")).contains("Apache License", "Version 2.0");
        assertThat(text(jar, "META-INF/licenses/EPL-2.0.txt")).startsWith("Eclipse Public License");
        assertThat(text(jar, "META-INF/licenses/SLF4J-MIT.txt")).contains("QOS.ch", "free  of");
      }
    }
  }

  private static String text(JarFile jar, String name) throws IOException {
    try (InputStream in = jar.getInputStream(jar.getEntry(name))) {
      return new String(in.readAllBytes(), UTF_8);
    }
  }

  @ParameterizedTest
  @CsvSource({"core, org.slf4j:slf4j-api", "tiered, dev.forebay:appender-core org.slf4j:slf4j-api"})
  void anApplicationGetsOnlySlf4jWithIt(String appender, String dependencies) throws Exception {
    Class<?> type = appender.equals("core") ? NonBlockingAppender.class : TieredAppender.class;
    String name = "META-INF/maven/dev.forebay/appender-" + appender + "/pom.xml";
    try (JarFile jar = new JarFile(jarOf(type).toFile())) {
      String pom = text(jar, name).replaceFirst("(?s)<build>.*", "");
      assertThat(DEPENDENCY.matcher(pom).results())
          .filteredOn(dependency -> !dependency.group().contains("<scope>")) // provided or test
          .map(dependency -> dependency.group(1) + ":" + dependency.group(2))
          .containsExactly(dependencies.split(" "));
    }
  }

  private static Path jarOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
