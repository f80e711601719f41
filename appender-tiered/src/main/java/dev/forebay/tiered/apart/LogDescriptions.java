package dev.forebay.tiered.apart;

import dev.forebay.agent.NanoClock;
import dev.forebay.agent.Voice;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.file.DescribedFiles;
import dev.forebay.tiered.file.FileDestination;
import dev.forebay.tiered.file.LogSettings;
import dev.forebay.tiered.file.RollingLog;
import dev.forebay.tiered.ship.Described;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.ship.Target;
import java.io.IOException;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Describes logs, and makes destinations from descriptions.
 *
 * <p>Keys of all: {@code log}, {@code kind}, {@code fsync}, {@code header}, {@code footer} and
 * {@code lineEnd}; the others are those of the kind. Nothing here accesses a file.
 */
public final class LogDescriptions {

  private static final String NEVER = "never";
  private static final String ALWAYS = "always";

  private LogDescriptions() {}

  /**
   * Describes log files, whose policies are started.
   *
   * @param log as {@link dev.forebay.tiered.identity.LogIdentity} takes it
   * @param faults gets the text of an ERROR for what cannot be described
   * @return null if something cannot
   */
  public static @Nullable Description of(
      Path log, LogSettings settings, FsyncPolicy fsync, Consumer<String> faults) {
    Map<String, String> files = DescribedFiles.of(settings, faults);
    if (files == null) {
      return null;
    }
    Map<String, String> all = begin(log, fsync);
    all.put("kind", DescribedFiles.KIND);
    all.putAll(files);
    return checked(all, faults);
  }

  /** Describes what is not a file. */
  public static @Nullable Description of(
      Path log,
      Target target,
      byte[] header,
      byte[] footer,
      byte[] lineEnd,
      FsyncPolicy fsync,
      Consumer<String> faults) {
    Map<String, String> ofTarget = target.description();
    if (ofTarget == null) {
      faults.accept(
          target.name()
              + " cannot be written by another process: write <shipping>inside</shipping>");
      return null;
    }
    Map<String, String> all = begin(log, fsync);
    all.putAll(ofTarget);
    all.put("header", Described.hex(header));
    all.put("footer", Described.hex(footer));
    all.put("lineEnd", Described.hex(lineEnd));
    return checked(all, faults);
  }

  private static Map<String, String> begin(Path log, FsyncPolicy fsync) {
    Map<String, String> all = new LinkedHashMap<>();
    all.put("log", log.toString());
    all.put("fsync", text(fsync));
    return all;
  }

  private static @Nullable Description checked(Map<String, String> all, Consumer<String> faults) {
    Description description = new Description(all);
    int bytes = description.encode().length;
    if (bytes <= Description.LIMIT_BYTES) {
      return description;
    }
    faults.accept(
        "a description of %d bytes is too long: at most %d; shorten the header and footer of the encoder, or write <shipping>inside</shipping>"
            .formatted(bytes, Description.LIMIT_BYTES));
    return null;
  }

  private static String text(FsyncPolicy fsync) {
    if (!fsync.forces()) {
      return NEVER;
    }
    return fsync.intervalNs() == 0 ? ALWAYS : String.valueOf(fsync.intervalNs());
  }

  /** The log: a file, or a pattern if its policy names the file. */
  public static Path log(Description description) throws IOException {
    return described(description).path("log");
  }

  /** Whether the log is files, so that its path identifies it. */
  public static boolean isOfFiles(Description description) throws IOException {
    return described(description).text("kind").equals(DescribedFiles.KIND);
  }

  /** When records are to be forced. */
  public static FsyncPolicy fsync(Description description) throws IOException {
    Described from = described(description);
    String text = from.text("fsync");
    if (text.equals(NEVER)) {
      return FsyncPolicy.NEVER;
    }
    if (text.equals(ALWAYS)) {
      return FsyncPolicy.ALWAYS;
    }
    long intervalNs = from.number("fsync");
    if (intervalNs <= 0) {
      throw Described.unknown("fsync", null);
    }
    return FsyncPolicy.every(intervalNs);
  }

  /**
   * The destination that was described, not opened yet.
   *
   * @throws IOException if this process cannot write there as the other one would; says why
   */
  public static Destination destination(
      Description description, Disk disk, Voice voice, ShippingListener listener, NanoClock clock)
      throws IOException {
    Described from = described(description);
    if (isOfFiles(description)) {
      RollingLog log = new RollingLog(DescribedFiles.settings(from, disk, voice, listener));
      return new FileDestination(log, fsync(description).forces(), clock);
    }
    String kind = from.text("kind");
    ClassLoader ours = LogDescriptions.class.getClassLoader(); // not that of any thread
    try {
      for (DestinationKind known : ServiceLoader.load(DestinationKind.class, ours)) {
        if (known.name().equals(kind)) {
          return known.destination(from, listener);
        }
      }
    } catch (ServiceConfigurationError | LinkageError e) { // a library that it needs
      throw new IOException(
          "this process cannot write to a log of kind %s, since a class is missing or does not fit: %s"
              .formatted(kind, e),
          e);
    }
    throw new IOException(
        "this process cannot write to a log of kind %s: put the jar forebay-%s on its class path"
            .formatted(kind, kind));
  }

  private static Described described(Description description) {
    return new Described(description.values());
  }
}
