package dev.forebay.tiered.file;

import static java.util.regex.Matcher.quoteReplacement;

import ch.qos.logback.core.Context;
import ch.qos.logback.core.rolling.FixedWindowRollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicy;
import ch.qos.logback.core.rolling.RollingPolicyBase;
import ch.qos.logback.core.rolling.SizeAndTimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.TimeBasedRollingPolicy;
import ch.qos.logback.core.rolling.helper.CompressionMode;
import ch.qos.logback.core.rolling.helper.FileNamePattern;
import dev.forebay.agent.Once;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.disk.FileInfo;
import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The names and compression of a rolling policy's archives, and the files that have them: next to
 * the active file or where the file name pattern puts archives. Known for policies that extend
 * Logback's base class, once they are started. For the shipper's thread.
 */
final class Archives {

  /** Listing names is cheap and unbounded, but only so many files are inspected in a search. */
  private static final int LIMIT_INSPECTED = 100_000;

  /** A token of a pattern, or text. */
  private static final Pattern PART = Pattern.compile("(%[^%{/]*?[di](?:\\{[^}]*})?)|[^%]+|%");

  private final Disk disk;
  private final @Nullable RollingPolicyBase policy;
  private final Once once;

  Archives(Disk disk, @Nullable RollingPolicy policy, Once once) {
    this.disk = disk;
    this.policy = policy instanceof RollingPolicyBase known ? known : null;
    this.once = once;
  }

  /** Their file name pattern; null if there are none or it is unknown. */
  @Nullable String pattern() {
    return policy == null ? null : policy.getFileNamePattern();
  }

  /** Whether a path matches the pattern, whatever the ending for a compression. */
  boolean has(String path) {
    String pattern = pattern();
    if (policy == null || pattern == null) {
      return false;
    }
    try {
      String absolute = LogPath.absolute(pattern).toString();
      return matches(plain(path), plain(absolute), policy.getContext());
    } catch (IOException | RuntimeException e) {
      return false;
    }
  }

  /** Whether a path may be that of an archive. Before 1.6, Logback does not quote the text. */
  static boolean matches(String path, String pattern, @Nullable Context context) {
    int first = Math.max(0, pattern.indexOf('%'));
    int last =
        Math.max(pattern.lastIndexOf('}'), pattern.lastIndexOf('d')); // tokens end with these
    int end = 1 + Math.max(last, pattern.lastIndexOf('i'));
    return path.startsWith(pattern.substring(0, first)) // mostly false, and quickly so
        && path.endsWith(pattern.substring(end))
        && path.matches(
            PART.matcher(pattern)
                .replaceAll(
                    part ->
                        quoteReplacement(
                            part.group(1) == null
                                ? Pattern.quote(part.group())
                                : new FileNamePattern(part.group(), context).toRegex())));
  }

  private static String plain(String name) {
    return name.replaceFirst("\\.(gz|zip|xz)$", "");
  }

  /** The archive that the policy will create from the active file, when due; null if unknown. */
  @Nullable String next() {
    String pattern = pattern();
    if (policy == null || pattern == null) {
      return null;
    }
    try {
      String name = null;
      if (policy instanceof TimeBasedRollingPolicy<?> timed) { // names it without the ending
        name = timed.getTimeBasedFileNamingAndTriggeringPolicy().getElapsedPeriodsFileName();
        if (name != null && areCompressed()) {
          name += pattern.substring(pattern.lastIndexOf('.'));
        }
      } else if (policy instanceof FixedWindowRollingPolicy window) {
        name = new FileNamePattern(pattern, window.getContext()).convertInt(window.getMinIndex());
      }
      once.over("naming");
      return name;
    } catch (RuntimeException e) {
      once.warn("naming", policy.getClass().getName() + " cannot name the next archive: " + e);
      return null;
    }
  }

  /** Where time-based policies of Logback 1.6 put the next archive before they compress it. */
  String unpacked(String next) {
    return areCompressed() && !makesRoom() ? next.substring(0, next.lastIndexOf('.')) : next;
  }

  /** Whether the policy moves away an existing file of the next name. */
  boolean makesRoom() {
    return policy instanceof FixedWindowRollingPolicy;
  }

  /** Whether we pack them: the policy is Logback's own. A user's may do more with the file. */
  boolean arePackedHere() {
    return policy != null
        && areCompressed()
        && List.of(
                TimeBasedRollingPolicy.class,
                SizeAndTimeBasedRollingPolicy.class,
                FixedWindowRollingPolicy.class)
            .contains(policy.getClass());
  }

  boolean areCompressed() {
    return policy != null && policy.getCompressionMode() != CompressionMode.NONE;
  }

  /** Opens the regular file of this identity, perhaps the active one; null if none is found. */
  @Nullable DiskFile open(String key, Path active, Disk.Mode mode) throws IOException {
    if (isFile(active, key)) {
      return disk.open(active, mode);
    }
    int inspected = 0;
    for (Path path : key.isEmpty() ? List.<Path>of() : names(active, "")) {
      if (++inspected <= LIMIT_INSPECTED && isFile(path, key)) { // never a pipe or a link
        return disk.open(path, mode);
      }
    }
    return null;
  }

  private boolean isFile(Path path, String key) throws IOException {
    FileInfo info = disk.stat(path);
    return info != null && info.kind() == FileInfo.Kind.FILE && info.key().equals(key);
  }

  /**
   * Names in the directories of the log: hidden ones with an ending and at least one character in
   * between, or all if the ending is "".
   */
  Set<Path> names(Path active, String ending) throws IOException {
    Set<Path> names = new LinkedHashSet<>();
    Path beside = active.resolveSibling("");
    addNames(beside, 0, ending, names);
    String pattern = pattern();
    if (pattern != null) {
      int token = pattern.indexOf('%');
      String fixed = token < 0 ? pattern : pattern.substring(0, token);
      int slash = fixed.lastIndexOf('/'); // ends the last directory that all archives share
      int deeper = pattern.substring(slash + 1).split("/", -1).length - 1;
      Path fromPattern = LogPath.absolute(pattern.substring(0, slash + 1));
      if (deeper > 0 || !fromPattern.equals(beside)) {
        addNames(fromPattern, deeper, ending, names);
      }
    }
    return names;
  }

  private static boolean isHidden(Path entry, String ending) {
    String name = String.valueOf(entry.getFileName());
    return name.startsWith(".") && name.length() > ending.length() + 1;
  }

  /** Also those in so many levels of directories below this one. */
  private void addNames(Path directory, int deeper, String ending, Set<Path> names)
      throws IOException {
    int inspected = 0;
    for (Path entry : disk.stat(directory) == null ? List.<Path>of() : disk.list(directory)) {
      if (entry.toString().endsWith(ending) && (ending.isEmpty() || isHidden(entry, ending))) {
        names.add(entry);
      }
      if (deeper > 0 && ++inspected <= LIMIT_INSPECTED && names.size() <= LIMIT_INSPECTED) {
        FileInfo info = disk.stat(entry);
        if (info != null && info.kind() == FileInfo.Kind.DIRECTORY) {
          try {
            addNames(entry, deeper - 1, ending, names);
          } catch (AccessDeniedException | NoSuchFileException | NotDirectoryException e) {
            // Not readable for us, or no longer there.
          }
        }
      }
    }
  }
}
