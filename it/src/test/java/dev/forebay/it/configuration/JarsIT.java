package dev.forebay.it.configuration;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.tiered.TieredAppender;
import java.io.InputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.net.URISyntaxException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.jar.Attributes;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import javax.xml.parsers.DocumentBuilderFactory;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.w3c.dom.Element;
import org.w3c.dom.Node;

/** What users get beside the classes. */
class JarsIT {

  private static final String QUEUE = "dev.forebay.shaded.jctools";

  @ParameterizedTest
  @ValueSource(classes = {NonBlockingAppender.class, TieredAppender.class})
  void theJarHasItsLicenceAndVersion(Class<?> appender) throws Exception {
    Path path = jarOf(appender);
    try (JarFile jar = new JarFile(path.toFile())) {
      Attributes manifest = jar.getManifest().getMainAttributes();

      assertThat(jar.getEntry("META-INF/LICENSE")).isNotNull();
      assertThat(path.getFileName())
          .hasToString(
              "appender-"
                  + (appender == TieredAppender.class ? "tiered" : "core")
                  + "-"
                  + manifest.getValue(Attributes.Name.IMPLEMENTATION_VERSION)
                  + ".jar");
    }
  }

  @ParameterizedTest
  @ValueSource(classes = {NonBlockingAppender.class, TieredAppender.class})
  void theJarHasOnlyPackagesOfOurs(Class<?> appender) throws Exception {
    try (JarFile jar = new JarFile(jarOf(appender).toFile())) {
      assertThat(jar.stream().map(JarEntry::getName))
          .allMatch(name -> name.matches("META-INF/.*|module-info.class|dev/|dev/forebay/.*"));
    }
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
    String pom = "META-INF/maven/dev.forebay/appender-" + appender + "/pom.xml";
    List<String> brought = new ArrayList<>();
    try (JarFile jar = new JarFile(jarOf(type).toFile());
        InputStream xml = jar.getInputStream(jar.getEntry(pom))) {
      Element project =
          DocumentBuilderFactory.newDefaultInstance()
              .newDocumentBuilder()
              .parse(xml)
              .getDocumentElement();
      for (Element dependency : children(children(project, "dependencies").get(0), "dependency")) {
        if (children(dependency, "scope").isEmpty()) { // else provided or test
          brought.add(text(dependency, "groupId") + ":" + text(dependency, "artifactId"));
        }
      }
    }

    assertThat(brought).containsExactly(dependencies.split(" "));
  }

  private static String text(Element parent, String name) {
    return children(parent, name).get(0).getTextContent();
  }

  private static List<Element> children(Element parent, String name) {
    List<Element> found = new ArrayList<>();
    for (Node child = parent.getFirstChild(); child != null; child = child.getNextSibling()) {
      if (child instanceof Element element && element.getTagName().equals(name)) {
        found.add(element);
      }
    }
    return found;
  }

  private static Path jarOf(Class<?> type) throws URISyntaxException {
    return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
  }
}
