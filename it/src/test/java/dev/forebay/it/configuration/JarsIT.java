package dev.forebay.it.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.it.tool.Tool;
import dev.forebay.tiered.TieredAppender;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
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
    try (JarFile jar = new JarFile(path.toFile());
        InputStream notice = jar.getInputStream(jar.getEntry("META-INF/NOTICE"))) {
      assertThat(new String(notice.readAllBytes(), UTF_8)).contains("JCTools", "Apache License");
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

  @ParameterizedTest
  @CsvSource({"core, org.slf4j:slf4j-api", "tiered, dev.forebay:appender-core org.slf4j:slf4j-api"})
  void anApplicationGetsOnlySlf4jWithIt(String appender, String dependencies) throws Exception {
    Class<?> type = appender.equals("core") ? NonBlockingAppender.class : TieredAppender.class;
    String name = "META-INF/maven/dev.forebay/appender-" + appender + "/pom.xml";
    try (JarFile jar = new JarFile(jarOf(type).toFile());
        InputStream in = jar.getInputStream(jar.getEntry(name))) {
      String pom = new String(in.readAllBytes(), UTF_8).replaceFirst("(?s)<build>.*", "");
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
