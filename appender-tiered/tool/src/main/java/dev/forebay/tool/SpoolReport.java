package dev.forebay.tool;

import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.inspect.SpoolFacts;
import dev.forebay.tiered.inspect.SpoolFacts.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A spool, a loop or a JVM's log as a row, as lines and as JSON.
 *
 * @param log the log's path, "" if unknown
 */
record SpoolReport(String log, SpoolFacts facts) {

  static final List<String> HEADINGS =
      List.of("LOG", "KIND", "PROCESS", "RECORDS", "UNCOMMITTED", "OLDEST", "BYTES");

  private String kind() {
    return facts.kind().name().toLowerCase(Locale.ROOT);
  }

  private @Nullable Instant oldest() {
    return facts.oldestMs() == 0 ? null : Instant.ofEpochMilli(facts.oldestMs());
  }

  List<String> row(long nowMs) {
    String records = facts.isReadable() ? Text.count(facts.records()) : "format " + facts.version();
    String unshipped = facts.isReadable() ? Text.count(facts.unshipped()) : "?";
    return List.of(
        log.isEmpty() ? facts.path().toString() : log,
        kind(),
        process(facts.owner()),
        facts.kind() == Kind.JVM ? "-" : records,
        facts.kind() == Kind.SPOOL ? unshipped : "-",
        facts.oldestMs() == 0 ? "-" : Text.age(Duration.ofMillis(nowMs - facts.oldestMs())),
        Text.bytes(facts.bytes()));
  }

  /** What {@code stat} prints. */
  List<String> lines() {
    boolean isJvm = facts.kind() == Kind.JVM;
    List<String> lines = new ArrayList<>();
    lines.add("%-11s %s".formatted(isJvm ? "JVM's log" : kind(), facts.path()));
    lines.add("process     " + process(facts.owner()));
    String bytes = "bytes       " + Text.count(facts.bytes());
    if (isJvm) {
      lines.add(bytes);
      return lines;
    }
    lines.add(
        "%s in %d %s, format %d"
            .formatted(
                bytes,
                facts.segments(),
                facts.segments() == 1 ? "segment" : "segments",
                facts.version()));
    String records = "records     " + Text.count(facts.records());
    Instant oldest = oldest();
    if (facts.kind() == Kind.LOOP) {
      lines.add(oldest == null ? records : records + ", since " + oldest);
      return lines;
    }
    lines.add(
        "%s, sequences %d to %d"
            .formatted(records, facts.firstSequence(), facts.endSequence() - 1));
    lines.add(
        "uncommitted %s, from sequence %d"
            .formatted(Text.count(facts.unshipped()), facts.committed()));
    if (oldest != null) {
      lines.add("oldest      before " + oldest);
    }
    return lines;
  }

  static String process(LockOwner owner) {
    if (!owner.isHeld()) {
      return "dead";
    }
    if (owner.pid() == 0) {
      return "in another container";
    }
    return (owner.pid() + " " + Running.program(owner.pid())).trim();
  }

  Json json() {
    Json json =
        new Json()
            .put("log", log.isEmpty() ? null : log)
            .put(kind(), facts.path().toString())
            .put("alive", facts.owner().isHeld())
            .put("pid", facts.owner().pid());
    if (facts.kind() == Kind.JVM) {
      return json.put("bytes", facts.bytes());
    }
    json.put("version", facts.version())
        .put("bytes", facts.bytes())
        .put("segments", facts.segments());
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
    Instant oldest = oldest();
    return json.put("oldest", oldest == null ? null : oldest.toString());
  }
}
