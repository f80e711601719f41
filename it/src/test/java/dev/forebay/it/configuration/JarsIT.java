package dev.forebay.it.configuration;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.NonBlockingAppender;
import dev.forebay.tiered.TieredAppender;
import java.nio.file.Path;
import java.util.jar.Attributes;
import java.util.jar.JarFile;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What users get beside the classes. */
class JarsIT {

  @ParameterizedTest
  @ValueSource(classes = {NonBlockingAppender.class, TieredAppender.class})
  void theJarHasItsLicenceAndVersion(Class<?> appender) throws Exception {
    Path path = Path.of(appender.getProtectionDomain().getCodeSource().getLocation().toURI());
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
}
