package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A second output of this JVM's log, which never rotates: what the JVM really wrote. It gives each
 * message the same decorations as every other output.
 */
final class UlTruth {

  private final Path file;

  private UlTruth(Path file) {
    this.file = file;
  }

  /** Opens the output. */
  static UlTruth open(Path file, String what, String decorators) {
    assertThat(
            vmLog(
                "output=file=" + file,
                "output_options=filecount=0",
                "what=" + what,
                "decorators=" + decorators))
        .isEmpty();
    return new UlTruth(file);
  }

  /** What {@code jcmd VM.log} does. */
  static String vmLog(String... arguments) {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmLog",
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }

  /** All so far. */
  String text() throws IOException {
    return Files.readString(file, StandardCharsets.ISO_8859_1);
  }

  /** Has the JVM write no more of it; returns all. */
  String end() throws IOException {
    if (vmLog("list").contains("file=" + file + " ")) {
      assertThat(vmLog("output=file=" + file, "what=all=off")).isEmpty();
    }
    return text();
  }
}
