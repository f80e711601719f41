package dev.forebay.tool;

import dev.forebay.tiered.inspect.LoopFacts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * The loop of a flight recorder as a row and as JSON.
 *
 * @param log the log's path, "" if unknown
 */
record LoopReport(String log, LoopFacts facts) {

  /** Under the headings of {@link SpoolReport}. */
  List<String> row(long nowMs) {
    return List.of(
        log.isEmpty() ? facts.path().toString() : log,
        "loop",
        SpoolReport.process(facts.owner()),
        facts.isReadable() ? Text.count(facts.records()) : "format " + facts.version(),
        "-",
        facts.oldestMs() == 0 ? "-" : Text.age(Duration.ofMillis(nowMs - facts.oldestMs())),
        Text.bytes(facts.bytes()));
  }

  Json json() {
    Json json =
        new Json()
            .put("log", log.isEmpty() ? null : log)
            .put("loop", facts.path().toString())
            .put("alive", facts.owner().isHeld())
            .put("pid", facts.owner().pid())
            .put("version", facts.version())
            .put("bytes", facts.bytes())
            .put("segments", facts.segments());
    return facts.isReadable()
        ? json.put("records", facts.records())
            .put(
                "oldest",
                facts.oldestMs() == 0 ? null : Instant.ofEpochMilli(facts.oldestMs()).toString())
        : json;
  }

  /** What {@code stat} prints. */
  List<String> lines() {
    return List.of(
        "loop        " + facts.path(),
        "process     " + SpoolReport.process(facts.owner()),
        SpoolReport.size(facts.bytes(), facts.segments(), facts.version()),
        "records     "
            + Text.count(facts.records())
            + (facts.oldestMs() == 0 ? "" : ", since " + Instant.ofEpochMilli(facts.oldestMs())));
  }
}
