package dev.forebay.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.VmLogCommand;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Pattern;

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

  static UlTruth open(Path file, String what, String decorators) {
    assertThat(
            VmLogCommand.run(
                "output=file=" + file,
                "output_options=filecount=0",
                "what=" + what,
                "decorators=" + decorators))
        .isEmpty();
    return new UlTruth(file);
  }

  String text() throws IOException {
    return unpadded(Files.readString(file, StandardCharsets.ISO_8859_1));
  }

  /** Lines of any output without what differs between outputs. */
  static String unpadded(String lines) {
    return PADDING.matcher(lines).replaceAll("]");
  }

  /** Has the JVM write no more of it; returns all. */
  String end() throws IOException {
    if (VmLogCommand.run("list").contains("file=" + file + " ")) {
      assertThat(VmLogCommand.run("output=file=" + file, "what=all=off")).isEmpty();
    }
    return text();
  }
}
