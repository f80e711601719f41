package dev.forebay.it.demo.app;

import dev.forebay.agent.Voice;
import dev.forebay.host.Await;
import dev.forebay.tiered.apart.ShipService;
import dev.forebay.tiered.apart.ShippedLog;
import dev.forebay.tiered.disk.NioDisk;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * The other process, as {@code forebay ship} is: it ships what applications spool until its
 * standard input ends, and tells several times a second what is in logs and what waits. It obeys
 * {@code stall} and {@code resume}, where no disk can be frozen.
 */
public final class ShipApp {

  private static final Duration FIGURES_EVERY = Duration.ofMillis(50);

  private ShipApp() {}

  /**
   * Runs.
   *
   * @param args the spool directory and that of the logs
   */
  public static void main(String[] args) throws IOException {
    if (Boolean.getBoolean("demo.stallingDisk")) {
      NioDisk.replaceWith(StallingDisk.before(NioDisk.current(), Path.of(args[1])));
    }
    Voice voice = text -> System.err.println("The other process: " + text);
    ShipService service = new ShipService(NioDisk.current(), List.of(Path.of(args[0])), voice);
    service.start();
    Thread teller = new Thread(() -> tellFigures(service), "demo-figures");
    teller.setDaemon(true);
    teller.start();
    BufferedReader commands =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    for (String line = commands.readLine(); line != null; line = commands.readLine()) {
      if (line.equals("stall")) {
        StallingDisk.stall();
      } else {
        StallingDisk.resume();
      }
    }
    service.close();
    System.exit(0);
  }

  private static void tellFigures(ShipService service) {
    while (!Thread.currentThread().isInterrupted()) {
      List<ShippedLog> logs = service.logs();
      long shipped = logs.stream().mapToLong(ShippedLog::shipped).sum();
      long waiting = logs.stream().mapToLong(ShippedLog::waiting).sum();
      Figures figures = new Figures(Map.of(Figures.DELIVERED, shipped, Figures.IN_FLIGHT, waiting));
      System.out.println(Told.of(1, figures).toLine());
      Await.pass(FIGURES_EVERY);
    }
  }
}
