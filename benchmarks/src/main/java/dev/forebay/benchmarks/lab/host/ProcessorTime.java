package dev.forebay.benchmarks.lab.host;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;

/**
 * The first line of {@code /proc/stat}: how the time of all processors was spent since the machine
 * started, in ticks.
 */
record ProcessorTime(long all, long idle, long steal) {

  private static final int IDLE = 3;
  private static final int STEAL = 7;
  private static final double PERCENT = 100;

  /** Reads it; empty where there is none. */
  static Optional<ProcessorTime> now() {
    try (var lines = Files.lines(Path.of("/proc/stat"))) {
      return lines.findFirst().map(ProcessorTime::parse);
    } catch (IOException e) {
      return Optional.empty();
    }
  }

  /** Guest time, after steal, is part of user time already. */
  static ProcessorTime parse(String line) {
    long[] ticks =
        Arrays.stream(line.trim().split("\\s+", -1))
            .skip(1)
            .limit(STEAL + 1L)
            .mapToLong(Long::parseLong)
            .toArray();
    return new ProcessorTime(Arrays.stream(ticks).sum(), ticks[IDLE], ticks[STEAL]);
  }

  /** Share of the time since then in which the processors had nothing to do. */
  double idlePercentSince(ProcessorTime begin) {
    return share(idle - begin.idle, begin);
  }

  /** Share of the time since then that the hypervisor gave to others. */
  double stealPercentSince(ProcessorTime begin) {
    return share(steal - begin.steal, begin);
  }

  private double share(long part, ProcessorTime begin) {
    return all == begin.all ? 0 : PERCENT * part / (all - begin.all);
  }
}
