package dev.forebay.pipeline;

import dev.forebay.agent.AgentThread;
import dev.forebay.agent.ParkPolicy;
import java.util.concurrent.TimeUnit;

/** When the thread behind a ring gets up: by what, and after how long at most. */
enum WakeUpPolicy {
  /** Each call wakes it: HotSpot's asynchronous log as it is. */
  EACH_CALL("each call wakes") {
    @Override
    void offered(EventRing ring, AgentThread thread) {
      thread.wake();
    }

    @Override
    ParkPolicy park(Flusher flusher) {
      return EACH_SECOND;
    }
  },

  /** Calls wake it when the ring is 30 % full, as JDK-8299415 proposed, or a second passes. */
  FILLED_TO_30_PERCENT("30 % full, or 1 s") {
    @Override
    void offered(EventRing ring, AgentThread thread) {
      wakeAbove(ring.capacity() * 3 / 10, ring, thread);
    }

    @Override
    ParkPolicy park(Flusher flusher) {
      return EACH_SECOND;
    }
  },

  /** It gets up when 256 events should have gathered; calls wake it when a quarter is full. */
  BY_RATE("by rate (ours)") {
    @Override
    void offered(EventRing ring, AgentThread thread) {
      wakeAbove(ring.capacity() / 4, ring, thread);
    }

    @Override
    ParkPolicy park(Flusher flusher) {
      return flusher;
    }
  };

  /** Once it is up, it takes all there is, however many turns that needs. */
  private static final ParkPolicy EACH_SECOND =
      (workDone, nowNs) -> workDone < EventSink.MAX_TURN ? TimeUnit.SECONDS.toNanos(1) : 0;

  private final String label;

  WakeUpPolicy(String label) {
    this.label = label;
  }

  /** The caller's part, after each event. */
  abstract void offered(EventRing ring, AgentThread thread);

  /** The thread's part. */
  abstract ParkPolicy park(Flusher flusher);

  /** Name for people. */
  String label() {
    return label;
  }

  private static void wakeAbove(int events, EventRing ring, AgentThread thread) {
    if (ring.size() >= events) {
      thread.wakeIfParked();
    }
  }
}
