package dev.forebay.tiered.jvm;

import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.ship.Shipper;
import dev.forebay.tiered.spool.OwnSpool;
import dev.forebay.tiered.spool.RecordSource;
import dev.forebay.tiered.spool.Segment;
import dev.forebay.tiered.spool.SegmentContent;
import dev.forebay.tiered.spool.SegmentFeed;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolHead;
import dev.forebay.tiered.spool.SpoolLease;
import dev.forebay.tiered.spool.SpoolNames;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.NavigableMap;
import org.jspecify.annotations.Nullable;

/**
 * A spool whose records are the lines of the JVM's log, in the files in which the JVM has written
 * them: each has a link here, whose name says which record it begins with. It is locked while its
 * owner lives. What a dead owner left is an orphan once its lines are counted, and it is {@link
 * #seal sealed}.
 *
 * <p>For the flusher's thread, or one that seals a dead spool, unless a comment says otherwise.
 */
public final class LineSpool implements OwnSpool {
  /** Name of the file that the JVM writes; with a number appended for older ones. */
  public static final String LOG = "jvm.log";

  /** Name of the file that says what the JVM writes. */
  static final String OUTPUT = "output";

  private static final String UNFINISHED = "own-new";

  /** More than a shipper reads at once. */
  private static final long MOST_BATCH_BYTES = 1 << 20;

  private final Disk disk;
  private final SpoolLease lease;
  private final RecordSource source;
  private final long limitBytes;

  /** The files whose records are counted, or being counted, until released. Guarded by this. */
  private final List<Part> parts = new ArrayList<>();

  /** How many of the parts, from the first on, the shipper knows: they stay until shipped. */
  private int taken;

  private long next;

  /** How far another process that ships it reads ahead of what it has committed. */
  private long aheadBytes;

  /** Null unless another process ships it. Set before anything is published. */
  private volatile @Nullable SpoolHead head;

  /** As {@link #next}, once it may be read. Written by the flusher's thread. */
  private volatile long published;

  /** All records below are shipped. Written by the shipper's thread. */
  private volatile long released;

  /** A file and its known properties. Guarded by the spool. */
  private static final class Part {
    final LineFile file;
    final Segment segment;

    /** The gap that a file of ours reports. */
    final Gap gap;

    /** Length of its records, once they are counted. */
    long bytes;

    Part(LineFile file, Path path, Gap gap) {
      this.file = file;
      this.segment = new Segment(file.first(), path);
      this.gap = gap;
    }
  }

  /** Creates one of ours. The limit is on files that the shipper has not begun. */
  public static LineSpool create(SpoolDirectory directory, long limitBytes) throws IOException {
    return new LineSpool(directory, directory.create(SpoolNames.LINES), limitBytes);
  }

  LineSpool(SpoolDirectory directory, SpoolLease lease, long limitBytes) {
    this.disk = directory.disk();
    this.lease = lease;
    this.limitBytes = limitBytes;
    this.source = directory.source(lease, new Live());
  }

  @Override
  public RecordSource source() {
    return source;
  }

  @Override
  public long publishedSequence() {
    return published;
  }

  @Override
  public synchronized long usedBytes() {
    return bytes(parts);
  }

  private static long bytes(List<Part> some) {
    return some.stream().mapToLong(part -> part.bytes).sum();
  }

  @Override
  public long limitBytes() {
    return limitBytes;
  }

  Disk disk() {
    return disk;
  }

  /** Whether the spool and its lock are still where they were created. */
  boolean isIntact() {
    return lease.isIntact();
  }

  /** Continues to count at a file that a dead owner has begun. */
  synchronized void resume(LineFile file) {
    parts.add(new Part(file, path().resolve(file.name()), Gap.NONE));
    next = file.first() + (file.isOurs() ? 1 : 0);
  }

  /**
   * The next records are those of a link, after what is missing before it.
   *
   * @param file its name, without the first record
   * @return its path from now on
   */
  synchronized Path begin(LineFile file, Gap before) throws IOException {
    if (before.exists() && !isOurs(file.number() - 1)) {
      add(file.number() - 1, before.line(), before);
    }
    LineFile named = new LineFile(file.number(), file.from(), next, false);
    Path path = path().resolve(named.name());
    disk.move(path().resolve(file.name()), path);
    parts.add(new Part(named, path, Gap.NONE));
    return path;
  }

  private boolean isOurs(long number) {
    Part last = parts.isEmpty() ? null : parts.get(parts.size() - 1);
    return last != null && last.file.isOurs() && last.file.number() == number;
  }

  void count() {
    next++;
  }

  /** Lets the shipper read what was counted. */
  void publish() {
    published = next;
    SpoolHead shown = head;
    if (shown != null) {
      shown.publish(published);
    }
  }

  /** Has another process ship it; may be repeated until it succeeds. */
  void describe(byte[] description) throws IOException {
    describe(description, Shipper.COMMIT_BYTES + MOST_BATCH_BYTES);
  }

  /**
   * As the other.
   *
   * @param mostAheadBytes how far that process reads ahead of what it has committed
   */
  void describe(byte[] description, long mostAheadBytes) throws IOException {
    aheadBytes = mostAheadBytes;
    Path unused = write(SpoolNames.DESCRIPTION, description);
    unused = write(SpoolHead.NAME, SpoolHead.initial().array());
    head = SpoolHead.touching(disk, path());
  }

  @Override
  public void requestCommit() {
    SpoolHead shown = head;
    if (shown != null) {
      shown.await(published);
    }
  }

  @Override
  public void retire() {
    SpoolHead shown = head;
    if (shown != null) {
      shown.retire();
    }
  }

  /** How many records were counted and not published. */
  long unpublished() {
    return next - published;
  }

  /** Ends the file begun last, whose counted records have this length. */
  synchronized void end(long bytes) {
    Part last = parts.get(parts.size() - 1);
    last.bytes = bytes;
    last.segment.endSequence = next;
  }

  /** Adds a line that reports a gap, in place of the JVM's file {@code number}. */
  synchronized void add(long number, byte[] line, Gap gap) throws IOException {
    parts.add(ours(new LineFile(number, number, next, true), line, gap));
    next++;
  }

  /** Writes a small file, in one step. */
  Path write(String name, byte[] content) throws IOException {
    Path unfinished = path().resolve(UNFINISHED);
    disk.delete(unfinished);
    try (DiskFile opened = disk.open(unfinished, Disk.Mode.CREATE_PRIVATE)) {
      opened.writeFully(ByteBuffer.wrap(content), 0);
    }
    Path path = path().resolve(name);
    disk.move(unfinished, path);
    return path;
  }

  private Part ours(LineFile file, byte[] line, Gap gap) throws IOException {
    Part made = new Part(file, write(file.name(), line), gap);
    made.segment.endSequence = file.first() + 1;
    made.bytes = line.length;
    return made;
  }

  /**
   * Gives up the oldest files that the shipper has not begun, as far as the rest exceeds the limit:
   * one line of ours takes the place of all their records. The links stay, until they are not
   * {@link #needs needed}.
   *
   * @return how many bytes were given up
   */
  synchronized long giveUp() throws IOException {
    int begun = taken + begunElsewhere();
    long waiting = bytes(parts.subList(begun, parts.size()));
    int end = begun;
    while (end < parts.size() - 1 && waiting > limitBytes) {
      waiting -= parts.get(end).bytes;
      end++;
    }
    Part last = end == begun ? null : parts.get(end - 1);
    boolean hasLines =
        last != null
            && !last.file.isOurs()
            && last.segment.endSequence > parts.get(begun).segment.firstSequence;
    return hasLines ? replace(parts.subList(begun, end)) : 0;
  }

  /**
   * How many files, after those that are partly in the log for good, another process may be copying
   * to the log now. If it has just gone on to more, those are lost only in part: see {@link
   * LiveLines}.
   */
  private int begunElsewhere() {
    long ahead = aheadBytes;
    int count = 0;
    while (ahead > 0 && taken + count < parts.size()) {
      ahead -= parts.get(taken + count).bytes;
      count++;
    }
    return count;
  }

  private long replace(List<Part> replaced) throws IOException {
    List<Part> gone = List.copyOf(replaced);
    Part first = gone.get(0);
    Part last = gone.get(gone.size() - 1);
    Gap gap = Gap.NONE;
    long lost = 0;
    for (Part part : gone) {
      lost += part.file.isOurs() ? 0 : part.bytes;
      gap = gap.and(part.file.isOurs() ? part.gap : new Gap(part.bytes, false));
    }
    long since = first.file.isOurs() ? first.file.from() : first.file.number();
    long sequence = last.segment.endSequence - 1;
    Part ours = ours(new LineFile(last.file.number(), since, sequence, true), gap.line(), gap);
    replaced.clear();
    replaced.add(ours);
    for (Part part : gone) {
      if (part.file.isOurs()) {
        disk.delete(part.segment.path);
      }
    }
    return lost;
  }

  /** Forgets the files that are shipped, and deletes ours among them. */
  synchronized void release() throws IOException {
    while (parts.size() > 1
        && parts.get(0).segment.endSequence >= 0
        && parts.get(0).segment.endSequence <= released) {
      if (parts.get(0).file.isOurs()) {
        disk.delete(parts.get(0).segment.path);
      }
      parts.remove(0);
      taken = Math.max(0, taken - 1); // one without records may be released untaken
    }
  }

  /** Whether the link of this number has records that are neither shipped nor given up. */
  synchronized boolean needs(long number) {
    return parts.isEmpty()
        || number > parts.get(parts.size() - 1).file.number()
        || parts.stream().anyMatch(part -> !part.file.isOurs() && part.file.number() == number);
  }

  /** Notes that all records are counted: another process may ship them. */
  void seal() throws IOException {
    Path end = path().resolve(HexFormat.of().toHexDigits(next) + LineFiles.END);
    disk.open(end, Disk.Mode.CREATE_PRIVATE).close();
  }

  /** Gives the reader one file after the other: those that it does not know may be given up. */
  private final class Live implements SegmentFeed {
    private @Nullable Segment known;

    @Override
    public long limit() {
      return published;
    }

    @Override
    public SegmentContent content(InstanceId instance) {
      return new LineContent();
    }

    @Override
    public void addNew(NavigableMap<Long, Segment> segments, long wanted) {
      while (isOver(known, wanted)) {
        Segment following = take();
        if (following == null) {
          return;
        }
        segments.put(following.firstSequence, following);
        known = following;
      }
    }

    private static boolean isOver(@Nullable Segment segment, long wanted) {
      return segment == null || segment.endSequence >= 0 && segment.endSequence <= wanted;
    }

    private @Nullable Segment take() {
      synchronized (LineSpool.this) {
        return taken == parts.size() ? null : parts.get(taken++).segment;
      }
    }

    @Override
    public void closeFile() {
      SpoolHead shown = head;
      if (shown != null) {
        shown.close();
      }
    }

    @Override
    public void close() {
      closeFile();
    }

    @Override
    public void retire(Segment segment) {
      released = Math.max(released, segment.endSequence);
    }
  }
}
