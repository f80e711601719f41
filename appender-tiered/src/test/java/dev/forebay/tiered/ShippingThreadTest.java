package dev.forebay.tiered;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.NanoClock;
import dev.forebay.host.Await;
import dev.forebay.host.Gate;
import dev.forebay.tiered.disk.NioDisk;
import dev.forebay.tiered.ship.FsyncPolicy;
import dev.forebay.tiered.ship.Shipper;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** How a sink wakes the thread that ships. */
class ShippingThreadTest {

  private static final long SECOND_NS = 1_000_000_000;

  /** Held while it looks for records the last time before it sleeps. */
  private static final class Held extends Sleeper {

    private final Gate lastLook = new Gate();
    private final AtomicInteger asked = new AtomicInteger();

    @Override
    public long sleepNs(long nowNs) {
      if (asked.incrementAndGet() == 2) {
        lastLook.pass();
      }
      return super.sleepNs(nowNs);
    }
  }

  /** Not the writer of segments wakes it for what the JVM wrote. */
  @Test
  void recordsAfterAPauseWakeAShipperThatIsAboutToSleep(@TempDir Path spools) throws Exception {
    Held sleeper = new Held();
    AgentThread thread =
        new AgentThread(sleeper, sleeper, "shipper-test", NanoClock.SYSTEM, t -> {}, null);
    StartRig start = StartRig.of(Path.of("/app.log"), spools, new NioDisk(), () -> 0, t -> {});
    Shipper shipper = new Shipper(start.queue(), FsyncPolicy.NEVER, () -> 0);
    ShippingThread shipping = new ShippingThread(start.account(), shipper, thread);
    thread.start();
    sleeper.lastLook.awaitReached();
    shipping.follow(SECOND_NS, false);
    sleeper.lastLook.open();

    Await.until("woken", () -> sleeper.turns.get() > 1);
    thread.requestStop();
    Await.until("ended", () -> thread.join(SECOND_NS));
  }
}
