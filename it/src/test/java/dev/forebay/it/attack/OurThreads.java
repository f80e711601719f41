package dev.forebay.it.attack;

import dev.forebay.host.Await;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** The appenders' threads while nothing is to be done: which live, and what they cost. */
record OurThreads(Map<String, Long> cpuNs) {

  private static final Duration IDLE = Duration.ofSeconds(1);

  /** Half of a processor: they spin. */
  private static final long GROSS_CPU_NS = 500_000_000;

  private static final int LOOKS = 60;

  /** Of one process, over the first second in which they rest; archives may still be packed. */
  static OurThreads lookWhileTheyRest() {
    OurThreads look = lookForASecond();
    for (int i = 1; i < LOOKS && look.sumNs() > GROSS_CPU_NS; i++) {
      look = lookForASecond();
    }
    return look;
  }

  private static OurThreads lookForASecond() {
    Map<String, Long> before = cpuSoFar();
    Await.pass(IDLE);
    Map<String, Long> after = cpuSoFar();
    after.replaceAll((name, ns) -> ns - before.getOrDefault(name, 0L));
    return new OurThreads(after);
  }

  private static Map<String, Long> cpuSoFar() {
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    Map<String, Long> cpu = new TreeMap<>();
    for (Thread thread : Thread.getAllStackTraces().keySet()) {
      if (thread.getName().startsWith("forebay-")) {
        @SuppressWarnings("deprecation") // threadId() is newer than 17
        long ns = threads.getThreadCpuTime(thread.getId());
        cpu.merge(thread.getName(), ns, Long::sum);
      }
    }
    return cpu;
  }

  private long sumNs() {
    return cpuNs.values().stream().mapToLong(Long::longValue).sum();
  }

  /**
   * What is wrong.
   *
   * @param roles parts of names: one thread of each must live
   */
  List<String> faults(List<String> roles) {
    List<String> faults = new ArrayList<>();
    if (sumNs() > GROSS_CPU_NS) {
      faults.add("threads spin: " + cpuNs);
    }
    for (String role : roles) {
      if (cpuNs.keySet().stream().noneMatch(name -> name.contains(role))) {
        faults.add("no " + role + " lives: " + cpuNs.keySet());
      }
    }
    return faults;
  }

  @Override
  public String toString() {
    return "idle CPU %d ms, threads %s".formatted(sumNs() / 1_000_000, cpuNs.keySet());
  }
}
