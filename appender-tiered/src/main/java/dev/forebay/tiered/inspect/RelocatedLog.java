package dev.forebay.tiered.inspect;

import dev.forebay.tiered.disk.DiskFile;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Position;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.function.IntUnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * A new log for records whose first part may already be in a former one. The shipper reads the end
 * of the former log too, so that lines it holds are not written again. The former log is never
 * changed.
 */
final class RelocatedLog implements Destination {

  private final Destination log;
  private final Destination former;

  /** Records of the batch that is being written, and those of complete ones. */
  private int current;

  private long written;

  /**
   * @param log where records go
   * @param former never opened for writing
   */
  RelocatedLog(Destination log, Destination former) {
    this.log = log;
    this.former = former;
  }

  /** Records written here; those that were here or in the former log do not count. */
  long written() {
    return written;
  }

  @Override
  public @Nullable DiskFile openForReading(Position position) throws IOException {
    DiskFile file = log.openForReading(position);
    return file == null ? former.openForReading(position) : file;
  }

  @Override
  public String name() {
    return log.name();
  }

  @Override
  public void open() throws IOException {
    log.open();
  }

  @Override
  public boolean isOpen() {
    return log.isOpen();
  }

  @Override
  public boolean wasEmptied() {
    return log.wasEmptied();
  }

  @Override
  public Position position() {
    return log.position();
  }

  @Override
  public boolean isUndisturbed() throws IOException {
    return log.isUndisturbed();
  }

  @Override
  public boolean followAppends() throws IOException {
    return log.followAppends();
  }

  @Override
  public boolean isRemoved() {
    return log.isRemoved();
  }

  @Override
  public int append(ByteBuffer bytes) throws IOException {
    int count = log.append(bytes);
    if (!bytes.hasRemaining()) {
      written += current;
      current = 0;
    }
    return count;
  }

  @Override
  public void force() throws IOException {
    log.force();
  }

  @Override
  public void truncate(long offset) throws IOException {
    log.truncate(offset);
  }

  @Override
  public void truncateMoved(Position to) throws IOException {
    log.truncateMoved(to);
  }

  @Override
  public void begin() throws IOException {
    log.begin();
  }

  @Override
  public boolean isRollDue() {
    return log.isRollDue();
  }

  @Override
  public long bytesUntilRoll() {
    return log.bytesUntilRoll();
  }

  @Override
  public int recordsUntilRoll(int count, IntUnaryOperator bytesOf) {
    current = log.recordsUntilRoll(count, bytesOf);
    return current;
  }

  @Override
  public void roll() throws IOException {
    log.roll();
  }

  @Override
  public void end() throws IOException {
    log.end();
  }

  @Override
  public void close() {
    log.close();
  }
}
