package dev.forebay.tiered.ship;

import java.io.IOException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A destination that is made when the first spool is taken, and anew after each close: that of a
 * process which ships only while no other one does.
 *
 * @see Destination
 */
public final class LateDestination implements Destination {

  private final String name;
  private final boolean survivesPowerCuts;
  private final Supplier<Destination> maker;
  private @Nullable Destination made;

  /** Makes nothing yet; the others are as what it makes has them. */
  public LateDestination(String name, boolean survivesPowerCuts, Supplier<Destination> maker) {
    this.name = name;
    this.survivesPowerCuts = survivesPowerCuts;
    this.maker = maker;
  }

  private Destination made() {
    Destination ready = made;
    if (ready == null) {
      ready = maker.get();
      made = ready;
    }
    return ready;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public boolean survivesPowerCuts() {
    return survivesPowerCuts;
  }

  @Override
  public void take(Records records, boolean isLost) throws IOException {
    made().take(records, isLost);
  }

  @Override
  public int copy(Records records) throws IOException {
    return made().copy(records);
  }

  @Override
  public long uncommittedBytes(Records records) {
    return made().uncommittedBytes(records);
  }

  @Override
  public void commit(Records records) throws IOException {
    made().commit(records);
  }

  @Override
  public void suspend(Records records) throws IOException {
    made().suspend(records);
  }

  @Override
  public boolean abandon(Records records) throws IOException {
    return made().abandon(records);
  }

  @Override
  public long dueInNs(long nowMs) {
    return made == null ? Long.MAX_VALUE : made.dueInNs(nowMs);
  }

  @Override
  public void end() throws IOException {
    made().end();
  }

  @Override
  public void close() {
    Destination last = made;
    made = null;
    if (last != null) {
      last.close();
    }
  }
}
