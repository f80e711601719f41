package dev.forebay.it.attack;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/** Attacks on the memory. */
final class MemoryAttacks {

  private MemoryAttacks() {}

  /** Others hold all direct memory for a while. */
  @Attack.On(Attack.Target.MEMORY)
  record DirectMemory(int limitMb, int holdMs) implements Attack {

    private static final int PIECE = 100_000;

    @Override
    public void arrange(Field field) {
      field.option("-XX:MaxDirectMemorySize=" + limitMb + "m");
      field.heapMb(512);
    }

    @Override
    public void inside(Victim victim) {
      Attacks.pass(300);
      List<ByteBuffer> held = new ArrayList<>();
      try {
        while (held.size() <= limitMb * 1_000_000 / PIECE) {
          held.add(ByteBuffer.allocateDirect(PIECE));
        }
      } catch (OutOfMemoryError e) {
        // all of it
      }
      Attacks.pass(holdMs);
      held.clear();
      System.gc();
    }
  }

  /** The application itself runs out of heap, again and again, and recovers. */
  @Attack.On(Attack.Target.MEMORY)
  record HeapHog(int heapMb, int ms) implements Attack {

    private static final int PIECE = 50_000;

    @Override
    public void arrange(Field field) {
      field.heapMb(heapMb);
      field.ringMb(heapMb / 8);
      field.allow(Judge.UNOFFERED);
    }

    @Override
    public void inside(Victim victim) {
      victim.expectShortHeap();
      Attacks.pass(300);
      long startNs = System.nanoTime();
      while (System.nanoTime() - startNs < ms * 1_000_000L) {
        List<byte[]> held = new ArrayList<>(100_000);
        try {
          while (held.size() < 100_000) {
            held.add(new byte[PIECE]);
          }
        } catch (OutOfMemoryError e) {
          Attacks.pass(20);
        }
        held.clear();
        Attacks.pass(50);
      }
    }
  }
}
