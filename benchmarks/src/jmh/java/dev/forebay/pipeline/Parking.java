package dev.forebay.pipeline;

import dev.forebay.agent.Agent;
import java.util.concurrent.locks.LockSupport;

/**
 * How an agent's thread waits between two turns. An {@link #unpark} before the {@link #park} ends
 * that park at once, as with {@link LockSupport}.
 */
interface Parking {

  /** Needs no system call of a thread that unparks, unless the other thread is really parked. */
  Parking OF_THREADS =
      new Parking() {
        @Override
        public void park(Object blocker, long parkNs) {
          if (parkNs == Agent.UNTIL_WOKEN) {
            LockSupport.park(blocker);
          } else {
            LockSupport.parkNanos(blocker, parkNs);
          }
        }

        @Override
        public void unpark(Thread thread) {
          LockSupport.unpark(thread);
        }
      };

  /**
   * Waits until it is ended, or for so long; may return early. The agent's thread.
   *
   * @param blocker whom a thread dump names
   * @param parkNs nanoseconds, at least 1; {@link Agent#UNTIL_WOKEN} for no limit
   */
  void park(Object blocker, long parkNs);

  /** Ends a park of that thread, or its next one. Any thread. */
  void unpark(Thread thread);
}
