package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.FileInfo;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.OtherForm;
import dev.forebay.tiered.spool.Segment;
import dev.forebay.tiered.spool.SegmentContent;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Set;

/**
 * The files of a JVM that lives, whose owner counts the lines and frees the files. What it gives up
 * meanwhile is not read any more, but for the rest of a file that is being read: that is in the log
 * though a line of the owner says it is missing.
 */
final class LiveLines implements OtherForm.Files {

  private final SpoolDirectory directory;
  private final Path spool;

  /** Found last. */
  private List<LineFile> files = List.of();

  /** Whether the reader does not know them yet. */
  private boolean isNew;

  /** Names of files that are still there and not needed. */
  private final Set<String> retired = new HashSet<>();

  LiveLines(SpoolDirectory directory, Path spool) {
    this.directory = directory;
    this.spool = spool;
  }

  @Override
  public SegmentContent content(InstanceId instance) {
    return new LineContent();
  }

  @Override
  public void list() throws IOException {
    List<LineFile> there = known();
    there.removeIf(file -> !retired.contains(file.name()) && !isOurs(file));
    files = there;
    isNew = true;
  }

  private List<LineFile> known() throws IOException {
    List<LineFile> there = LineFiles.files(directory.disk(), spool);
    there.removeIf(file -> file.first() == LineFile.UNKNOWN);
    return there;
  }

  private boolean isOurs(LineFile file) {
    try {
      Path path = spool.resolve(file.name());
      FileInfo info = directory.disk().stat(path);
      return info != null && LineFiles.isOurs(directory, path, info); // else just freed
    } catch (IOException e) {
      return true; // reading it fails too
    }
  }

  @Override
  public long firstSequence() throws IOException {
    List<LineFile> there = known();
    // A line of ours may stand for records that nobody has counted as lost.
    return there.isEmpty() || there.get(0).isOurs() ? 0 : there.get(0).first();
  }

  @Override
  public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
    if (!isNew) {
      return;
    }
    isNew = false;
    Set<String> names = new HashSet<>();
    for (int i = 0; i < files.size(); i++) {
      LineFile file = files.get(i);
      names.add(file.name());
      boolean isOver = i + 1 < files.size() && files.get(i + 1).first() <= wanted;
      Segment known = segments.get(file.first());
      Path path = spool.resolve(file.name());
      boolean isKnown = known != null && known.path.equals(path);
      if (!isKnown && !isOver && !retired.contains(file.name())) {
        segments.put(file.first(), new Segment(file.first(), path));
      }
    }
    segments
        .tailMap(wanted, false)
        .values()
        .removeIf(segment -> !names.contains(SpoolNames.of(segment.path)));
    retired.retainAll(names);
  }

  /** Its owner may have replaced what is missing, and deleted the rest. */
  @Override
  public void retire(Segment segment) {
    retired.add(SpoolNames.of(segment.path));
    if (segment.damaged) {
      try {
        list();
      } catch (IOException e) {
        // The next look at the head lists them.
      }
    }
  }
}
