package dev.forebay.tiered.spool;

import static dev.forebay.tiered.spool.Damage.PAYLOAD;
import static dev.forebay.tiered.spool.Damage.flip;
import static dev.forebay.tiered.spool.Damage.text;
import static dev.forebay.tiered.spool.Damage.texts;
import static dev.forebay.tiered.spool.Spools.drain;
import static dev.forebay.tiered.spool.Spools.segments;
import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.tiered.disk.NioDisk;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Damage in a spool that is being written, and the old frames of its recycled segments. */
@Tag("once")
class LivingSpoolDamageTest {
  @TempDir Path base;
  private SpoolDirectory directory;
  private Spool spool;
  private Path first;
  private Path second;
  private Path third;

  @BeforeEach
  void fillSpool() throws IOException {
    directory = Spools.open(new NioDisk(), base);
    spool = directory.createSpool(Damage.LIMITS);
    Damage.fill(spool);
    List<Path> segments = segments(spool.path());
    first = segments.get(0);
    second = segments.get(1);
    third = segments.get(2);
  }

  @AfterEach
  void close() {
    spool.close();
  }

  @Test
  void staleFramesOfARecycledSegmentAreNotRead() throws IOException {
    drain(spool.source());
    spool.source().release(18);
    Damage.append(spool, 18, 20);
    Path recycled = segments(spool.path()).get(0);
    assertThat(Files.size(recycled)).isEqualTo(256); // old frames behind the two new ones
    try (RecordSource orphan = adopt()) {
      assertThat(drain(orphan)).isEqualTo(texts(0, 0, "gap 0+18", 18, 20));
      assertThat(orphan.limitSequence()).isEqualTo(20);
    }
  }

  @Test
  void staleFramesCutInTheMiddleAreNotRead() throws IOException {
    drain(spool.source());
    spool.source().release(18);
    Spools.append(spool, "a longer text that ends within an old frame");
    spool.writer().flush();
    try (RecordSource orphan = adopt()) {
      orphan.seek(18);
      assertThat(drain(orphan)).containsExactly("a longer text that ends within an old frame");
    }
  }

  @Test
  void damageInALivingSpoolIsAGapUpToWhatIsPublished() throws IOException {
    flip(third, 64 + 4 * 32 + PAYLOAD);
    flip(third, 64 + 5 * 32 + PAYLOAD);
    assertThat(drain(spool.source())).isEqualTo(texts(0, 16, "gap 16+2", 18, 18));

    Damage.append(spool, 18, 19);

    assertThat(drain(spool.source())).containsExactly(text(18));
  }

  @Test
  void aLivingSpoolReadsOnBehindDamageInTheSegmentBeingWritten() throws IOException {
    Damage.append(spool, 18, 19);
    Path fourth = segments(spool.path()).get(3);
    flip(fourth, 64 + PAYLOAD);
    assertThat(drain(spool.source())).isEqualTo(texts(0, 18, "gap 18+1", 19, 19));

    Spools.append(spool, text(19));
    Spools.append(spool, text(20));
    spool.writer().flush();

    assertThat(drain(spool.source())).isEqualTo(texts(19, 21));
  }

  @Test
  void segmentsMissingInALivingSpoolAreAGap() throws IOException {
    Files.delete(second);
    assertThat(drain(spool.source())).isEqualTo(texts(0, 6, "gap 6+6", 12, 18));
    Files.delete(first);
    spool.source().release(18);
    assertThat(spool.usedBytes()).isEqualTo(256); // the third, as a spare
  }

  @Test
  void aReleasedDamagedSegmentOfALivingSpoolIsNotRecycled() throws IOException {
    flip(first, 64 + PAYLOAD);
    drain(spool.source());
    spool.source().release(18);

    assertThat(Spools.names(directory.path())).hasSize(1);
    assertThat(spool.usedBytes()).isEqualTo(512);
  }

  private RecordSource adopt() throws IOException {
    spool.close();
    return Spools.orphan(directory);
  }
}
