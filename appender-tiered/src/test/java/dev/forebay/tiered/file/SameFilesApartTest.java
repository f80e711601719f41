package dev.forebay.tiered.file;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.core.FileAppender;
import ch.qos.logback.core.rolling.DefaultTimeBasedFileNamingAndTriggeringPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TriggeringPolicy;
import ch.qos.logback.core.util.FileSize;
import dev.forebay.tiered.disk.Scratch;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.ShippingListener;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TimeZone;
import java.util.TreeMap;
import java.util.stream.Stream;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.jspecify.annotations.Nullable;

/**
 * The same records at the same times through a log with a user's policies, and through one that is
 * made from its description in a process with another time zone, leave the same files.
 */
class SameFilesApartTest extends LogRig {

  private static final long START_MS = Instant.parse("2024-02-28T10:00:00Z").toEpochMilli();
  private static final long HOUR_MS = 3600 * 1000L;
  private static final int BATCH_BYTES = 400;

  enum Kind {
    TIME,
    TIME_WITH_NAMING,
    SIZE_AND_TIME,
    WINDOW,
    TIME_AND_SIZE_TRIGGER,
    NONE
  }

  /**
   * A configuration, and when so many records are logged in each of two starts.
   *
   * @param zone the default one where it is configured
   * @param there the default one where it is shipped
   */
  record Case(
      Kind kind,
      String date,
      String ending,
      boolean isNamed,
      long sizeBytes,
      int history,
      long capBytes,
      boolean isCleaned,
      boolean hasHeader,
      String zone,
      String there,
      int records,
      List<Integer> hours,
      List<Integer> later) {

    boolean needsFile() {
      return isNamed || List.of(Kind.SIZE_AND_TIME, Kind.WINDOW, Kind.NONE).contains(kind);
    }

    boolean isBySize() {
      return kind == Kind.SIZE_AND_TIME || kind == Kind.TIME_WITH_NAMING;
    }

    /** One that makes its naming when it starts cannot be told the time before it cleans. */
    boolean mayClean() {
      return isCleaned && kind != Kind.SIZE_AND_TIME;
    }

    String pattern() {
      String index = isBySize() || kind == Kind.WINDOW ? ".%i" : "";
      return (kind == Kind.WINDOW ? "/a" : date) + index + ".log" + ending;
    }
  }

  @Provide
  static Arbitrary<Case> cases() {
    Arbitrary<String> zones =
        Arbitraries.of(
            "UTC", "Europe/Berlin", "America/Los_Angeles", "Asia/Kolkata", "Pacific/Kiritimati");
    Arbitrary<String> dates =
        Arbitraries.of(
            "/a.%d",
            "/a.%d{yyyy-MM-dd-HH}",
            "/%d/a",
            "/%d{yyyy/MM, aux}/a.%d{yyyy-MM-dd}",
            "/%d{yyyy-MM-dd,aux}/%d{HH}/a",
            "/a.%d{yyyy-MM-dd, Asia/Tokyo}",
            "/%d{yyyy-MM, UTC, aux}/a.%d{yyyy-MM-dd_HH}");
    Arbitrary<List<Integer>> hours =
        Arbitraries.integers().between(0, 14 * 24).list().ofMinSize(1).ofMaxSize(9);
    return Combinators.combine(
            Combinators.combine(
                    Arbitraries.of(Kind.class),
                    dates,
                    Arbitraries.of("", "", ".gz", ".zip"),
                    Arbitraries.of(true, false))
                .as((kind, date, ending, named) -> List.<Object>of(kind, date, ending, named)),
            Combinators.combine(
                    Arbitraries.of(200L, 1000L),
                    Arbitraries.of(0, 0, 1, 3, 8),
                    Arbitraries.of(0L, 0L, 1500L),
                    Arbitraries.of(true, false),
                    Arbitraries.of(true, false))
                .as(
                    (size, keep, cap, clean, head) ->
                        List.<Object>of(size, keep, cap, clean, head)),
            zones,
            zones,
            Arbitraries.of(1, 6, 40),
            hours,
            hours)
        .as(
            (names, sizes, zone, there, records, first, then) ->
                new Case(
                    (Kind) names.get(0),
                    (String) names.get(1),
                    (String) names.get(2),
                    (boolean) names.get(3),
                    (long) sizes.get(0),
                    (int) sizes.get(1),
                    (long) sizes.get(2),
                    (boolean) sizes.get(3),
                    (boolean) sizes.get(4),
                    zone,
                    there,
                    records,
                    first.stream().sorted().toList(),
                    then.stream().sorted().map(hour -> hour + 14 * 24).toList()));
  }

  @Property(seed = "1")
  void bothLeaveTheSame(@ForAll("cases") Case one) throws IOException {
    TimeZone before = TimeZone.getDefault();
    try (Scratch scratch = new Scratch()) {
      Path inside = scratch.directory("inside");
      Path apart = scratch.directory("apart");
      TimeZone.setDefault(TimeZone.getTimeZone(one.zone));
      Map<String, String> described = described(one, apart);
      for (List<Integer> hours : List.of(one.hours, one.later)) {
        setFileTime(one, inside, hours);
        setFileTime(one, apart, hours);
        TimeZone.setDefault(TimeZone.getTimeZone(one.zone));
        run(one, hours, settings(one, inside, new OneThreadContext(), hours));
        TimeZone.setDefault(TimeZone.getTimeZone(one.there));
        run(one, hours, rebuilt(described, hours));
      }
      assertThat(contents(apart)).isEqualTo(contents(inside)).isNotEmpty();
      assertThat(warnings.stream().map(text -> text.replace(apart + "", inside + "")).distinct())
          .as("each is of both")
          .hasSizeLessThanOrEqualTo(1);
    } finally {
      TimeZone.setDefault(before);
      warnings.clear();
    }
  }

  private Map<String, String> described(Case one, Path directory) {
    LogSettings settings = settings(one, directory, new OneThreadContext(), one.hours);
    Map<String, String> all = DescribedFiles.of(settings, warnings::add);
    assertThat(warnings).isEmpty();
    return Objects.requireNonNull(all);
  }

  private LogSettings rebuilt(Map<String, String> described, List<Integer> hours)
      throws IOException {
    LogSettings settings =
        DescribedFiles.settings(
            new Described(described),
            disk,
            warnings::add,
            new ShippingListener() {},
            new OneThreadContext());
    if (settings.rollingPolicy() instanceof TimeBasedRollingPolicy<?> timed) {
      assertThat(timed.isStarted()).isFalse();
      tell(timed, at(hours.get(0)));
    }
    return settings;
  }

  private static long at(int hour) {
    return START_MS + hour * HOUR_MS;
  }

  /** Tells it the time, if it can be told. */
  private static <E> void tell(TimeBasedRollingPolicy<E> policy, long nowMs) {
    if (policy.getTimeBasedFileNamingAndTriggeringPolicy() == null
        && policy.getClass() == TimeBasedRollingPolicy.class) {
      policy.setTimeBasedFileNamingAndTriggeringPolicy(
          new DefaultTimeBasedFileNamingAndTriggeringPolicy<>());
    }
    if (policy.getTimeBasedFileNamingAndTriggeringPolicy() != null) {
      policy.getTimeBasedFileNamingAndTriggeringPolicy().setCurrentTime(nowMs);
    }
  }

  private LogSettings settings(
      Case one, Path directory, LoggerContext context, List<Integer> hours) {
    String file = one.needsFile() ? directory.resolve("app.log").toString() : null;
    FileAppender<byte[]> parent = new FileAppender<>();
    parent.setContext(context);
    parent.setFile(file);
    RollingPolicy rolling =
        one.kind == Kind.NONE ? null : policy(one, directory, parent, context, hours);
    TriggeringPolicy<?> triggering =
        rolling instanceof TriggeringPolicy<?> both
            ? both
            : rolling == null ? null : bySize("" + one.sizeBytes);
    if (one.kind == Kind.TIME_AND_SIZE_TRIGGER) {
      triggering = bySize("10MB"); // never: with this policy that rolls to a null name
    }
    String header = one.hasHeader ? HEADER : "";
    return settings(
        disk, file, true, rolling, triggering, header, one.hasHeader ? FOOTER : "", true);
  }

  private RollingPolicy policy(
      Case one,
      Path directory,
      FileAppender<byte[]> parent,
      LoggerContext context,
      List<Integer> hours) {
    String pattern = directory + one.pattern();
    if (one.kind == Kind.WINDOW) {
      return fixedWindow(parent, pattern);
    }
    TimeBasedRollingPolicy<byte[]> policy;
    if (one.kind == Kind.SIZE_AND_TIME) {
      SizeAndTimeBasedRollingPolicy<byte[]> both = new SizeAndTimeBasedRollingPolicy<>();
      both.setMaxFileSize(new FileSize(one.sizeBytes));
      policy = both;
    } else {
      policy = new TimeBasedRollingPolicy<>();
    }
    policy.setContext(context);
    policy.setParent(parent);
    policy.setFileNamePattern(pattern);
    policy.setMaxHistory(one.history);
    policy.setTotalSizeCap(new FileSize(one.capBytes));
    policy.setCleanHistoryOnStart(one.mayClean());
    if (one.kind == Kind.TIME_WITH_NAMING) {
      limit(policy, "" + one.sizeBytes, at(hours.get(0)));
    }
    tell(policy, at(hours.get(0)));
    policy.start();
    assertThat(policy.isStarted()).isTrue();
    return policy;
  }

  /** It says which period the file is of. */
  private static void setFileTime(Case one, Path directory, List<Integer> hours)
      throws IOException {
    Path file = directory.resolve("app.log");
    if (one.needsFile()) {
      if (!Files.exists(file)) {
        Files.createFile(file);
      }
      Files.setLastModifiedTime(file, FileTime.fromMillis(at(hours.get(0))));
    }
  }

  private static void run(Case one, List<Integer> hours, LogSettings settings) throws IOException {
    RollingLog log =
        new RollingLog(settings, false) {
          @Override
          void open() throws IOException {
            super.open();
            archive();
          }
        };
    started(log);
    for (int hour : hours) {
      if (settings.rollingPolicy() instanceof TimeBasedRollingPolicy<?> timed) {
        tell(timed, at(hour));
      }
      ship(log, records(hour, one.records), BATCH_BYTES);
    }
    stop(log);
  }

  /** Names with bytes; of what is packed as ZIP, which has a time, the names and bytes inside. */
  private static Map<String, String> contents(Path directory) throws IOException {
    Map<String, String> all = new TreeMap<>();
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.filter(path -> !path.equals(directory)).toList()) {
        String name = directory.relativize(file).toString();
        if (Files.isDirectory(file)) {
          all.put(name, "directory");
        } else if (name.endsWith(".zip")) {
          all.put(name, unzipped(file));
        } else {
          all.put(name, new String(Files.readAllBytes(file), ISO_8859_1));
        }
      }
    }
    return all;
  }

  private static @Nullable String unzipped(Path file) throws IOException {
    try (InputStream raw = Files.newInputStream(file);
        ZipInputStream zip = new ZipInputStream(raw)) {
      ZipEntry entry = zip.getNextEntry();
      // that of a window is the time of the roll in the default zone, which no pattern can change
      String name = entry.getName().replaceFirst("a\\.\\d{4}-\\d\\d-\\d\\d_\\d{4}\\.log", "TIME");
      return name + "\n" + new String(zip.readAllBytes(), UTF_8);
    }
  }
}
