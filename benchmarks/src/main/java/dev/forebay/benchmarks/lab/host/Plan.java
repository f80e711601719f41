package dev.forebay.benchmarks.lab.host;

import dev.forebay.benchmarks.lab.Peer;
import dev.forebay.benchmarks.lab.Scenario;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The runs in their order: repetitions outermost, peers innermost, so that the peers that are
 * compared run close to each other and a slow drift of the machine hits them alike.
 *
 * <p>Left out, and said so:
 *
 * <ul>
 *   <li>the floor, which has no file, in scenarios with a sick disk;
 *   <li>{@code AsyncAppender} with {@code neverBlock} where no event may be lost: it cannot do
 *       that;
 *   <li>Log4j2 with the newer Disruptor wherever its ring does not fill, since nothing else of it
 *       differs;
 *   <li>appenders without a thread where nothing is logged;
 *   <li>a flight recorder where nothing is at TRACE, and most others where something is;
 *   <li>scenarios with a sick disk where this user or system cannot make one.
 * </ul>
 *
 * @param runs in order
 * @param skipped what is left out and why, a sentence each
 */
record Plan(List<PlannedRun> runs, List<String> skipped) {

  /** What a flight recorder is compared with: none, and TRACE in the log. */
  private static final Set<Peer> KEEP_TRACES =
      EnumSet.of(Peer.NONE, Peer.FOREBAY, Peer.FILE, Peer.FILE_UNFLUSHED, Peer.LOG4J2);

  private static final String NO_TRACES = "peers with a flight recorder, but in recorded.";
  private static final String TRACES =
      "recorded: peers but those with a flight recorder, "
          + KEEP_TRACES.stream().map(Peer::id).collect(Collectors.joining(", "))
          + ".";

  /** Plans what a command line asks for; the obstacle to making disks sick is "" without one. */
  static Plan of(CommandLine asked, String obstacle) {
    List<PlannedRun> runs = new ArrayList<>();
    Set<String> skipped = new LinkedHashSet<>();
    Set<Scenario> possible =
        asked.scenarios().stream()
            .filter(scenario -> !needsDisk(scenario) || obstacle.isEmpty())
            .collect(Collectors.toCollection(LinkedHashSet::new));
    if (possible.size() < asked.scenarios().size()) {
      skipped.add(
          asked.scenarios().stream()
                  .filter(scenario -> !possible.contains(scenario))
                  .map(Scenario::id)
                  .collect(Collectors.joining(", "))
              + ": no disk can be made sick here: "
              + obstacle
              + ".");
    }
    for (int repetition = 1; repetition <= asked.repetitions(); repetition++) {
      for (Scenario scenario : possible) {
        for (Peer peer : asked.peers()) {
          String reason = reasonAgainst(scenario, peer);
          if (isAboutTraces(scenario, peer)) {
            skipped.add(peer.records() ? NO_TRACES : TRACES);
          } else if (reason.isEmpty()) {
            runs.add(new PlannedRun(scenario, peer, repetition));
          } else {
            skipped.add(scenario.id() + " " + peer.id() + ": " + reason + ".");
          }
        }
      }
    }
    return new Plan(List.copyOf(runs), List.copyOf(skipped));
  }

  /**
   * Whether a peer has no part in a scenario because of its calls at TRACE, or for lack of them.
   */
  private static boolean isAboutTraces(Scenario scenario, Peer peer) {
    return scenario.load() == Scenario.Load.TRACED
        ? !peer.records() && !KEEP_TRACES.contains(peer)
        : peer.records();
  }

  private static boolean needsDisk(Scenario scenario) {
    return scenario.fault().isOfTheDisk();
  }

  /** Whether a ring of 262,144 events may fill. */
  private static boolean fillsLargeRings(Scenario scenario) {
    return switch (scenario.load()) {
      case NONE, PACED, TRACED, BURSTS, SINGLE -> scenario.fault() == Scenario.Fault.LONG_FREEZE;
      case UNPACED, UNPACED_NUMBER, UNPACED_KEEPING -> true;
    };
  }

  private static String reasonAgainst(Scenario scenario, Peer peer) {
    if (needsDisk(scenario) && peer.lines() == Peer.Lines.NONE) {
      return "it writes to no disk";
    }
    if (scenario.load() == Scenario.Load.UNPACED_KEEPING && peer == Peer.ASYNC_NEVER_BLOCK) {
      return "it cannot be set to lose nothing";
    }
    if (peer == Peer.LOG4J2_DISRUPTOR4 && !fillsLargeRings(scenario)) {
      return "it differs from log4j2 only when its ring is full";
    }
    if (scenario == Scenario.IDLE && (peer == Peer.FILE || peer == Peer.FILE_UNFLUSHED)) {
      return "it has no thread of its own";
    }
    return "";
  }
}
