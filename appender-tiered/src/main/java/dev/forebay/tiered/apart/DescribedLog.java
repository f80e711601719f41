package dev.forebay.tiered.apart;

import dev.forebay.agent.AdaptivePark;
import dev.forebay.agent.AgentThread;
import dev.forebay.agent.TimeLimit;
import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.LogIdentity;
import dev.forebay.tiered.jvm.JvmLines;
import dev.forebay.tiered.jvm.LineFiles;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.LogShipping;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.SpoolDirectory;
import dev.forebay.tiered.spool.SpoolHead;
import dev.forebay.tiered.spool.SpoolNames;
import dev.forebay.tiered.spool.SpoolView;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** One log that a {@link ShipService} found, and its shipping. Guarded by the service. */
final class DescribedLog implements ShippingListener {

  private static final int RECORDS_PER_TURN = 8192;
  private static final long IDLE_PARK_NS = 500_000_000;
  private static final long QUIET_NS = 100_000_000;

  /** How long a shipping that ends in the midst of a time-out gets to commit. */
  private static final long LAST_NS = 1_000_000_000;

  final SpoolDirectory directory;
  private final ShipService service;

  /** The newest description that was read; null before the first. */
  private @Nullable Description description;

  /** Names of the JVMs' directories with a head, which are touched when that changes. */
  private Set<String> rung = Set.of();

  /** Spools that were looked at since their head came or changed. */
  private final Set<Path> shown = new HashSet<>();

  private String name = "";
  private String fault = "";
  private @Nullable LogShipping shipping;
  private @Nullable AgentThread thread;
  private long wokenNs;

  DescribedLog(ShipService service, SpoolDirectory directory) {
    this.service = service;
    this.directory = directory;
  }

  /**
   * Looks at its spools: begins to ship if they say how, and ends that if a newer one says
   * otherwise.
   *
   * @param isNews whether there may be other spools than before
   * @return whether it is of any concern
   */
  boolean look(Watch watch, boolean isNews) {
    Disk disk = service.disk;
    try {
      List<Path> spools = directory.list(SpoolNames.SPOOL);
      spools.forEach(watch::add);
      shown.retainAll(Set.copyOf(spools));
      Set<String> ringing = new HashSet<>();
      for (Path lines : directory.list(SpoolNames.LINES)) { // its JVM writes there too often
        if (SpoolHead.isIn(disk, lines)) {
          ringing.add(SpoolNames.of(lines));
          spools.add(lines);
        }
      }
      rung = Set.copyOf(ringing);
      LogShipping running = shipping;
      if (running != null && isNews) {
        running.lookNow();
        wake();
      }
      Description newest = null;
      for (int i = spools.size() - 1; i >= 0 && newest == null; i--) {
        boolean isWhole = disk.stat(spools.get(i).resolve(SpoolHead.NAME)) != null;
        newest = isWhole ? Description.read(disk, spools.get(i)) : null;
      }
      if (running != null) {
        boolean isOther = newest != null && !newest.isSame(description);
        if (isOther) {
          service.voice.info(
              "%s is described in another way by a newer application: using that".formatted(name));
          requestStop();
        }
        return true;
      }
      if (newest == null) {
        return false; // spools of appenders that ship themselves
      }
      name = LogDescriptions.log(newest).toString();
      begin(newest);
      fault = "";
    } catch (IOException e) {
      if (isGone()) {
        return shipping != null; // its application has just removed what was empty
      }
      refuse(e);
    }
    return true;
  }

  private boolean isGone() {
    try {
      return service.disk.isGone(directory.path());
    } catch (IOException e) {
      return false;
    }
  }

  private void refuse(IOException e) {
    String why = e.getMessage() == null ? e.toString() : e.getMessage();
    if (!why.equals(fault)) {
      fault = why;
      service.voice.warn(
          shipping == null
              ? "%s is not shipped: %s".formatted(name.isEmpty() ? directory.path() : name, why)
              : "%s is shipped as before: %s".formatted(name, why));
    }
  }

  private void begin(Description newest) throws IOException {
    Path log = LogDescriptions.log(newest);
    boolean isHere =
        !LogDescriptions.isOfFiles(newest)
            || directory.isOf(LogIdentity.unresolved(service.disk, log))
            || directory.isOf(LogIdentity.of(service.disk, log));
    if (!isHere) {
      throw new IOException(
          "its path leads to another place in this process than in its application: mount the file system of the log at the same path here");
    }
    FsyncPolicy fsync = LogDescriptions.fsync(newest);
    Destination to =
        LogDescriptions.destination(newest, service.disk, service.voice, this, service.clock);
    LogShipping begun =
        new LogShipping(
            directory, to, fsync, new JvmLines(), this, service.clock, service.wall::millis);
    AdaptivePark park = new AdaptivePark(RECORDS_PER_TURN, fsync.lookEveryNs(), IDLE_PARK_NS);
    ShippingAgent agent = new ShippingAgent(begun, this);
    AgentThread its =
        new AgentThread(
            agent,
            park,
            "forebay-ship-" + log.getFileName(),
            service.clock,
            t -> service.voice.warn("The shipper of " + name + " failed", t),
            null);
    agent.thread = its;
    description = newest;
    shipping = begun;
    thread = its;
    its.start();
  }

  /** Its spools are all shipped and gone, or it was stopped; on its thread. */
  void ended() {
    service.ended(this);
  }

  /** Whether all of these names are of JVMs' directories that have records for us. */
  boolean isRungBy(Set<String> names) {
    return !names.isEmpty() && rung.containsAll(names);
  }

  /** Whether the head of a spool changes for the first time. */
  boolean isNew(Path spool) {
    return shown.add(spool);
  }

  /** There is something new; after a pause it is shipped at once, otherwise soon. */
  void wake() {
    AgentThread its = thread;
    long nowNs = service.clock.nanoTime();
    if (its != null) {
      its.wakeIfAsleep();
      if (nowNs - wokenNs > QUIET_NS) {
        its.wakeIfParked();
      }
    }
    wokenNs = nowNs;
  }

  void requestStop() {
    AgentThread its = thread;
    if (its != null) {
      its.requestStop();
    }
  }

  /** Waits for the end after {@link #requestStop}; what is not shipped by then stays. */
  void join(TimeLimit limit) {
    AgentThread its = thread;
    LogShipping running = shipping;
    if (its != null && running != null && !its.join(limit)) {
      running.timeOut();
      its.wake();
      its.join(LAST_NS);
    }
  }

  /** Whether it is, or can be, shipped from here. */
  boolean isShippable() {
    return shipping != null;
  }

  ShippedLog facts() {
    LogShipping running = shipping;
    if (running == null) {
      return new ShippedLog(
          name, directory.path(), ShippedLog.State.REFUSED, 0, 0, 0, waiting(), 0, fault);
    }
    long waiting = waiting();
    return new ShippedLog(
        name,
        directory.path(),
        running.isShipping() ? ShippedLog.State.SHIPPING : ShippedLog.State.WAITING,
        running.shipped(),
        running.lost(),
        running.refused(),
        waiting,
        waiting == 0 ? 0 : running.longestWaitNs() / 1_000_000,
        running.fault());
  }

  /** How many records in its spools are not committed. Takes no lock, and so loses none. */
  private long waiting() {
    long waiting = 0;
    try {
      CheckpointView reached = CheckpointView.of(service.disk, directory.path());
      for (Path spool : directory.list(SpoolNames.SPOOL)) {
        long from = reached.position(SpoolNames.instance(spool)).sequence();
        try (SpoolView view = new SpoolView(service.disk, spool, () -> from)) {
          waiting += Math.max(0, view.endSequence() - from);
        }
      }
      for (Path lines : directory.list(SpoolNames.LINES)) {
        long from = reached.position(SpoolNames.instance(lines)).sequence();
        long shown = SpoolHead.publishedIn(service.disk, lines);
        waiting += Math.max(0, Math.max(shown, LineFiles.endOf(service.disk, lines)) - from);
      }
    } catch (IOException e) {
      return waiting; // one was just deleted
    }
    return waiting;
  }

  @Override
  public void warn(String text) {
    service.voice.warn(text);
  }

  @Override
  public void info(String text) {
    service.voice.info(text);
  }

  @Override
  public void failed(Exception cause) {
    service.voice.warn(
        "cannot write %s: %s; records stay in the spools; retrying".formatted(name, cause));
  }

  @Override
  public void worked() {
    service.voice.info("writing %s again".formatted(name));
  }
}
