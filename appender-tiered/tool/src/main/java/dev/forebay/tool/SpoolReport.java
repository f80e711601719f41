package dev.forebay.tool;

import dev.forebay.tiered.disk.LockOwner;
import dev.forebay.tiered.inspect.SpoolFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * One spool as a row and as JSON.
 *
 * @param log the log's path, "" if unknown
 */
record SpoolReport(String log, SpoolFacts facts) {

  static final List<String> HEADINGS =
      List.of("LOG", "KIND", "PROCESS", "RECORDS", "UNCOMMITTED", "OLDEST", "BYTES");

  List<String> row(long nowMs) {
    boolean isReadable = facts.isReadable();
    return List.of(
        log.isEmpty() ? facts.path().toString() : log,
        "spool",
        process(facts.owner()),
        isReadable ? Text.count(facts.records()) : "format " + facts.version(),
        isReadable ? Text.count(facts.unshipped()) : "?",
        facts.oldestMs() == 0 ? "-" : Text.age(Duration.ofMillis(nowMs - facts.oldestMs())),
        Text.bytes(facts.bytes()));
  }

  /** Of a spool or a loop. */
  static String size(long bytes, int segments, int version) {
    return "bytes       %s in %d %s, format %d"
        .formatted(Text.count(bytes), segments, segments == 1 ? "segment" : "segments", version);
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
            .put("spool", facts.path().toString())
            .put("alive", facts.owner().isHeld())
            .put("pid", facts.owner().pid())
            .put("version", facts.version())
            .put("bytes", facts.bytes())
            .put("segments", facts.segments());
    if (!facts.isReadable()) {
      return json;
    }
    return json.put("records", facts.records())
        .put("uncommitted", facts.unshipped())
        .put("first", facts.firstSequence())
        .put("committed", facts.committed())
        .put("end", facts.endSequence())
        .put(
            "oldest",
            facts.oldestMs() == 0 ? null : Instant.ofEpochMilli(facts.oldestMs()).toString());
  }
}
