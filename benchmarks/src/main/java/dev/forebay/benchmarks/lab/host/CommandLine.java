package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Iterator;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * What the command line asks for.
 *
 * @param repetitions how often each run is made
 * @param results where results go
 * @param logs below which the measured JVMs log
 * @param scenarios which, not empty
 * @param peers which, not empty
 * @param onlyLists whether the scenarios and peers are to be listed and nothing else
 */
record CommandLine(
    int repetitions,
    Path results,
    Path logs,
    Set<Scenario> scenarios,
    Set<Peer> peers,
    boolean onlyLists) {

  static final String USAGE =
      "lab [-r repetitions] [-o results directory] [-d log directory] [scenario]... [peer]..."
          + " | lab list | lab jvm | lab pipe [seconds] | lab kafka [part]... [peer]... | lab otlp [none]";

  private static final int DEFAULT_REPETITIONS = 3;

  /** Reads the arguments; throws an IllegalArgumentException that says what exists instead. */
  static CommandLine parse(List<String> arguments, Path defaultResults) {
    int repetitions = DEFAULT_REPETITIONS;
    Path results = defaultResults;
    Path logs = null;
    Set<Scenario> scenarios = EnumSet.noneOf(Scenario.class);
    Set<Peer> peers = EnumSet.noneOf(Peer.class);
    boolean onlyLists = false;
    Iterator<String> words = arguments.iterator();
    while (words.hasNext()) {
      String word = words.next();
      switch (word) {
        case "-r" -> repetitions = count(valueOf(word, words));
        case "-o" -> results = Path.of(valueOf(word, words));
        case "-d" -> logs = Path.of(valueOf(word, words));
        case "list" -> onlyLists = true;
        default -> addTo(scenarios, peers, word);
      }
    }
    return new CommandLine(
        repetitions,
        results,
        logs == null ? results : logs,
        scenarios.isEmpty() ? EnumSet.allOf(Scenario.class) : scenarios,
        peers.isEmpty() ? EnumSet.allOf(Peer.class) : peers,
        onlyLists);
  }

  private static void addTo(Set<Scenario> scenarios, Set<Peer> peers, String word) {
    List<Scenario> scenario =
        Arrays.stream(Scenario.values()).filter(one -> one.id().equals(word)).toList();
    List<Peer> peer = Arrays.stream(Peer.values()).filter(one -> one.id().equals(word)).toList();
    if (scenario.isEmpty() && peer.isEmpty()) {
      throw new IllegalArgumentException(
          "There is no scenario and no peer "
              + word
              + ". Scenarios: "
              + Arrays.stream(Scenario.values()).map(Scenario::id).collect(Collectors.joining(", "))
              + ". Peers: "
              + Arrays.stream(Peer.values()).map(Peer::id).collect(Collectors.joining(", "))
              + ".");
    }
    scenarios.addAll(scenario);
    peers.addAll(peer);
  }

  static String valueOf(String option, Iterator<String> words) {
    if (!words.hasNext()) {
      throw new IllegalArgumentException(option + " needs a value. Usage: " + USAGE);
    }
    return words.next();
  }

  static int count(String text) {
    try {
      int count = Integer.parseInt(text);
      if (count > 0) {
        return count;
      }
    } catch (NumberFormatException e) {
      // Said below, as for a count of 0.
    }
    throw new IllegalArgumentException("-r needs a number above 0, not " + text);
  }

  /** All scenarios and peers, a line each. */
  static String list() {
    StringBuilder text = new StringBuilder("Scenarios:\n");
    for (Scenario scenario : Scenario.values()) {
      text.append(String.format("  %-18s %s%n", scenario.id(), scenario.description()));
    }
    text.append("Peers:\n");
    for (Peer peer : Peer.values()) {
      text.append(String.format("  %-18s %s%n", peer.id(), peer.label()));
    }
    return text.toString();
  }
}
