package dev.forebay.tool;

import dev.forebay.tiered.checkpoint.CheckpointView;
import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.identity.ShipperNote;
import dev.forebay.tiered.inspect.LogSpools;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.inspect.SpoolFacts.Kind;
import dev.forebay.tiered.spool.SpoolLease;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;

/** What is known of a log and of its spools, loops and JVM's logs. */
final class SpoolReport {

  private static final String ROW = "%-5s %11s %11s %7s %8s %-20s %s";

  static final String HEADINGS =
      ROW.formatted("KIND", "RECORDS", "UNCOMMITTED", "OLDEST", "BYTES", "PROCESS", "LOG");

  private SpoolReport() {}

  private static String kind(SpoolFacts facts) {
    return facts.kind().name().toLowerCase(Locale.ROOT);
  }

  /**
   * A line of a table.
   *
   * @param process the process that has the spool
   */
  static String row(String log, SpoolFacts facts, String process, long nowMs) {
    String records = facts.isReadable() ? Text.count(facts.records()) : "format " + facts.version();
    String unshipped = facts.isReadable() ? Text.count(facts.unshipped()) : "?";
    return ROW.formatted(
        kind(facts),
        facts.kind() == Kind.JVM ? "-" : records,
        facts.kind() == Kind.SPOOL ? unshipped : "-",
        facts.oldestMs() == 0 ? "-" : Text.age(Duration.ofMillis(nowMs - facts.oldestMs())),
        Text.bytes(facts.bytes()),
        process,
        log.isEmpty() ? facts.path() : log);
  }

  /**
   * The process that has a spool of a log. Of several that a process has, the newest is its own: it
   * ships the other ones itself, or dead processes left them. A shipped spool is deleted by the
   * next start: at a JVM's end other hooks may still log.
   */
  static String process(SpoolFacts facts, List<SpoolFacts> all, long nowMs) throws IOException {
    LockOwner owner = facts.owner();
    if (!owner.isHeld()) {
      long writtenMs = SpoolLease.lastWrittenMs(NioDisk.current(), facts.path());
      String dead = "dead " + Text.age(Duration.ofMillis(nowMs - writtenMs));
      boolean isShipped =
          facts.kind() == Kind.SPOOL && facts.isReadable() && facts.unshipped() == 0;
      return isShipped ? dead + ", shipped" : dead;
    }
    boolean isOwn =
        all.subList(all.indexOf(facts) + 1, all.size()).stream()
            .noneMatch(later -> later.kind() == facts.kind() && later.owner().equals(owner));
    return isOwn || owner.pid() == 0 ? process(owner) : "left, " + owner.pid() + " has it";
  }

  static String process(LockOwner owner) {
    if (!owner.isHeld()) {
      return "dead";
    }
    if (owner.pid() == 0) {
      return "in another container";
    }
    return (owner.pid() + " " + Jvm.program(owner.pid())).trim();
  }

  /** A line of the table for the process that ships a log for others. */
  static String row(String log, LogSpools spools, ShipperNote shipper) throws IOException {
    String name = log.isEmpty() ? spools.path().toString() : log;
    String fault = shipper.fault().isEmpty() ? "" : ": " + shipper.fault();
    return ROW.formatted("ship", "-", "-", "-", "-", process(spools.shipper()), name + fault);
  }

  /** The process that ships a log for others. */
  static Json json(String log, LogSpools spools, ShipperNote shipper) throws IOException {
    return new Json()
        .put("log", log.isEmpty() ? null : log)
        .put("ship", spools.path().toString())
        .put("pid", shipper.pid())
        .put("process", process(spools.shipper()))
        .put("since", Instant.ofEpochMilli(shipper.sinceMs()).toString())
        .put("fault", shipper.fault());
  }

  /** A log with all its spools. */
  static Json json(LogSpools log) throws IOException {
    String name = log.log();
    LockOwner shipper = log.shipper();
    ShipperNote note = log.shipperNote();
    CheckpointView checkpoint = log.checkpoint();
    return new Json()
        .put("log", name.isEmpty() ? null : name)
        .put("directory", log.path().toString())
        .put("shipper", shipper.isHeld() ? process(shipper) : null)
        .put("shipperSince", note == null ? null : Instant.ofEpochMilli(note.sinceMs()).toString())
        .put("shipperFault", note == null || note.fault().isEmpty() ? null : note.fault())
        .put("checkpointFault", checkpoint.fault())
        .put("committedFile", checkpoint.fileKey())
        .put("committedBytes", checkpoint.endOffset())
        .put("spools", json(name, log.facts(Kind.SPOOL)))
        .put("loops", json(name, log.facts(Kind.LOOP)))
        .put("jvms", json(name, log.facts(Kind.JVM)));
  }

  private static List<Json> json(String log, List<SpoolFacts> all) {
    return all.stream().map(facts -> Steering.putFailures(json(log, facts), facts)).toList();
  }

  /** One spool; unknown values are left out. */
  static Json json(String log, SpoolFacts facts) {
    Json json =
        new Json()
            .put("log", log.isEmpty() ? null : log)
            .put(kind(facts), facts.path().toString())
            .put("alive", facts.owner().isHeld())
            .put("pid", Math.toIntExact(facts.owner().pid()))
            .put("process", process(facts.owner()))
            .put("bytes", facts.bytes());
    if (facts.kind() == Kind.JVM) {
      return json;
    }
    json.put("version", facts.version()).put("segments", facts.segments());
    if (!facts.isReadable()) {
      return json;
    }
    json.put("records", facts.records());
    if (facts.kind() == Kind.SPOOL) {
      json.put("uncommitted", facts.unshipped())
          .put("first", facts.firstSequence())
          .put("committed", facts.committed())
          .put("end", facts.endSequence());
    }
    long oldestMs = facts.oldestMs();
    return json.put("oldest", oldestMs == 0 ? null : Instant.ofEpochMilli(oldestMs).toString());
  }
}
