package dev.forebay.tool;

import dev.forebay.tiered.inspect.JvmLogFacts;
import java.util.List;

/**
 * The files of a JVM's own log as a row and as JSON.
 *
 * @param log the log's path, "" if unknown
 */
record JvmLogReport(String log, JvmLogFacts facts) {

  /** Under the headings of {@link SpoolReport}. */
  List<String> row() {
    return List.of(
        log.isEmpty() ? facts.path().toString() : log,
        "jvm",
        SpoolReport.process(facts.owner()),
        "-",
        "-",
        "-",
        Text.bytes(facts.bytes()));
  }

  /** What {@code stat} prints. */
  List<String> lines() {
    return List.of(
        "JVM's log   " + facts.path(),
        "process     " + SpoolReport.process(facts.owner()),
        "bytes       " + Text.count(facts.bytes()));
  }

  Json json() {
    return new Json()
        .put("log", log.isEmpty() ? null : log)
        .put("jvm", facts.path().toString())
        .put("alive", facts.owner().isHeld())
        .put("pid", facts.owner().pid())
        .put("bytes", facts.bytes());
  }
}
