package dev.forebay.it.gatling;

import dev.forebay.host.Await;
import dev.forebay.it.framework.BootProcess;
import dev.forebay.it.framework.BootXml;
import dev.forebay.it.framework.FatJar;
import dev.forebay.it.support.Places;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The Spring Boot application under load. */
final class GatlingBoot implements GatlingTarget {

  private static final String COUNTER = "dev.forebay.it.boot.OfferedCounter";

  /** Of a server, in place of those with which {@link BootProcess} starts quickly. */
  private static final List<String> JVM_OPTIONS =
      List.of(
          "-XX:TieredStopAtLevel=4", "-XX:-UseSerialGC", "-XX:+UseG1GC", "-Xms512m", "-Xmx512m");

  private final BootProcess boot;

  private GatlingBoot(BootProcess boot) {
    this.boot = boot;
  }

  /** Starts it and waits until it serves requests. */
  static GatlingBoot start(GatlingLogging logging, Places places, String... more) throws Exception {
    String option = BootXml.option(places, logging.configuration(COUNTER));
    Path output = places.directory("boot").resolve("output");
    String[] options =
        Stream.of(JVM_OPTIONS.stream(), Stream.of(more), Stream.of(option))
            .flatMap(each -> each)
            .toArray(String[]::new);
    return new GatlingBoot(BootProcess.start(FatJar.BOOT_4.path(), output, options));
  }

  @Override
  public String url() {
    return boot.url();
  }

  @Override
  public End end() throws Exception {
    boot.get("/silence");
    long counted = settled();
    Map<String, BootProcess.Account> accounts = boot.flushedAccounts();
    boolean orderly = boot.terminate() == BootProcess.TERMINATED;
    return new End(counted, accounts.get("JSON"), orderly);
  }

  /** Threads may still be in the middle of a last log call. */
  private long settled() throws Exception {
    long[] counts = {-1, -2};
    Await.until(
        "nothing is logged",
        () -> {
          Await.pass(GatlingApp.SETTLES);
          counts[1] = counts[0];
          counts[0] = Long.parseLong(boot.get("/offered"));
          return counts[0] == counts[1];
        });
    return counts[0];
  }

  @Override
  public String output() {
    return boot.output();
  }

  @Override
  public void close() {
    boot.close();
  }
}
