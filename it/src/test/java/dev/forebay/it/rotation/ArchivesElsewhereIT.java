package dev.forebay.it.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.it.support.LogFiles;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Tiered;
import dev.forebay.it.support.Xml;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** A rename to another file system is a copy. */
class ArchivesElsewhereIT {

  private static final int COUNT = 2000;

  @AutoClose private final Places places = Places.create();

  @Test
  void archivesMayBeOnAnotherFileSystem() throws Exception {
    Path elsewhere = Files.createTempDirectory(places.spool(), "archives");
    try (Tiered tiered =
        Tiered.with(places.xml(), Xml.FAST, Xml.rollBySize(elsewhere, "20KB"), Xml.MESSAGES)) {
      tiered.log("p", 0, COUNT).flush();
      assertThat(tiered.warnings()).anyMatch(text -> text.contains("different file systems"));
      assertThat(tiered.snapshot().dropped()).isZero();
    }
    LogFiles archives = LogFiles.of(elsewhere.resolve("app.log"));
    assertThat(archives.fileCount()).isGreaterThan(2);
    List<String> lines = new ArrayList<>(archives.lines());
    lines.addAll(places.lines());
    new Oracle().producer("p", COUNT, COUNT).complete(0).requireSound(lines);
  }
}
