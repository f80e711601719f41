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
final class OurThreads {

  private static final Duration IDLE = Duration.ofSeconds(1);

  /** Half of a processor: they spin. */
  private static final long GROSS_CPU_NS = 500_000_000;

  private static final int LOOKS = 60;

  private OurThreads() {}

  /**
   * Looks at the first second in which they rest; archives may still be packed.
   *
   * @param roles parts of names: one thread of each must live
   * @return what is wrong
   */
  static List<String> faults(List<String> roles) {
    Map<String, Long> costs = costsOfASecond();
    for (int i = 1; i < LOOKS && sumNs(costs) > GROSS_CPU_NS; i++) {
      costs = costsOfASecond();
    }
    List<String> faults = new ArrayList<>();
    if (sumNs(costs) > GROSS_CPU_NS) {
      faults.add("threads spin: " + costs);
    }
    for (String role : roles) {
      if (costs.keySet().stream().noneMatch(name -> name.contains(role))) {
        faults.add("no " + role + " lives: " + costs.keySet());
      }
    }
    return faults;
  }

  private static Map<String, Long> costsOfASecond() {
    Map<String, Long> before = cpuSoFar();
    Await.pass(IDLE);
    Map<String, Long> after = cpuSoFar();
    after.replaceAll((name, ns) -> ns - before.getOrDefault(name, 0L));
    return after;
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

  private static long sumNs(Map<String, Long> costs) {
    return costs.values().stream().mapToLong(Long::longValue).sum();
  }
}
