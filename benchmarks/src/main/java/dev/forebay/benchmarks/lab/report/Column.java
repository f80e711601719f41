package dev.forebay.benchmarks.lab.report;

import java.util.List;
import java.util.function.Function;

/**
 * A column of a table with a row for each peer.
 *
 * @param head short
 * @param meaning long, shown when the head is pointed at
 * @param cell the value of a peer
 */
record Column(String head, String meaning, Function<PeerRuns, Cell> cell) {

  /** Those that say something of one peer at least. */
  static List<Column> filled(List<Column> columns, List<PeerRuns> peers) {
    return columns.stream()
        .filter(column -> peers.stream().anyMatch(runs -> !column.cell().apply(runs).isNothing()))
        .toList();
  }
}
