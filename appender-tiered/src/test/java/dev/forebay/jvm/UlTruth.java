package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;
import javax.management.JMException;
import javax.management.ObjectName;

/**
 * A second output of this JVM's log, which never rotates: what the JVM really wrote. It gives each
 * message the same decorations as every other output. Only their padding is each output's own, as
 * wide as what that one has written so far; so it is left out of every comparison.
 */
final class UlTruth {

  private static final Pattern PADDING = Pattern.compile(" +\\](?=\\[| )");

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

  /** All so far, without padding. */
  String text() throws IOException {
    return unpadded(Files.readString(file, StandardCharsets.ISO_8859_1));
  }

  /** Lines of any output without what differs between outputs. */
  static String unpadded(String lines) {
    return PADDING.matcher(lines).replaceAll("]");
  }

  /** Has the JVM write no more of it; returns all. */
  String end() throws IOException {
    if (vmLog("list").contains("file=" + file + " ")) {
      assertThat(vmLog("output=file=" + file, "what=all=off")).isEmpty();
    }
    return text();
  }
}
