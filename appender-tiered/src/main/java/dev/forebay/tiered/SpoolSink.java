package dev.forebay.tiered;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.encoder.Encoder;
import dev.forebay.agent.TimeLimit;
import dev.forebay.observe.DropReason;
import dev.forebay.observe.Levels;
import dev.forebay.pipeline.CallDurability;
import dev.forebay.pipeline.EventSink;
import dev.forebay.pipeline.OwnEvent;
import dev.forebay.tiered.encode.LineEncoder;
import dev.forebay.tiered.encode.TextBuffer;
import dev.forebay.tiered.flight.FlightRecorder;
import dev.forebay.tiered.spool.Attributes;
import dev.forebay.tiered.spool.SpoolWriter;
import java.io.IOException;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Encodes events and puts the bytes into the spool: the last stage that knows log events. While the
 * spool is full, the sink is not ready, events wait in the ring, and the ring sheds.
 *
 * <p>A flight recorder gets every event, with the same bytes, and the spool those at or above its
 * level. While the spool is full the sink still takes events then, so that recording goes on: those
 * for the spool wait in the {@link Backlog}.
 *
 * <p>Fields belong to the flusher's thread, or to a log call in its turn, unless a comment says
 * otherwise.
 */
final class SpoolSink implements EventSink {

  private final StartContext context;
  private final ShippingMetrics account;
  private final Encoder<ILoggingEvent> encoder;

  /** The encoder, or what writes its bytes in its place, and the flusher's line; else null. */
  private final @Nullable LineEncoder lines;

  private final @Nullable TextBuffer line;

  /** The attributes that the destination needs of each event; null for files and streams. */
  private final @Nullable Function<ILoggingEvent, byte[]> attributes;

  private final SpoolPlace place;
  private final ShippingThread shipping;

  /** Null without a flight recorder. */
  private final @Nullable FlightRecorder recorder;

  /** Encoded events that wait for room in the spool; without a recorder, at most one. */
  private final Backlog backlog;

  /** Whether the spool takes no more in this turn: asking it costs a system call each time. */
  private boolean isBlocked;

  private long turnNs; // its start
  private long taken;

  /** When a stop leaves dumps to the next start. Written by the stopping thread. */
  private volatile long dumpsUntilNs;

  SpoolSink(
      StartContext context,
      ShippingMetrics account,
      Encoder<ILoggingEvent> encoder,
      @Nullable Function<ILoggingEvent, byte[]> attributes,
      SpoolPlace place,
      ShippingThread shipping,
      @Nullable FlightRecorder recorder) {
    this.context = context;
    this.account = account;
    this.encoder = encoder;
    this.lines = LineEncoder.of(encoder);
    this.line = lines == null ? null : lines.newLine();
    this.place = place;
    this.shipping = shipping;
    this.recorder = recorder;
    this.attributes = attributes;
    this.backlog = new Backlog(context.ring().ringBytes());
    String obstacle = lines == null ? LineEncoder.obstacle(encoder) : null;
    if (obstacle != null) {
      context.voice().info("the encoder is not compiled, because of " + obstacle);
    } else if (lines != null && lines != encoder) {
      context.voice().info("the encoder is compiled");
    }
  }

  @Override
  public String name() {
    return "the encoder";
  }

  @Override
  public DropReason failureReason() {
    return DropReason.ENCODE_FAILED;
  }

  @Override
  public void beginTurn(boolean eventsWait) {
    turnNs = context.clock().nanoTime();
    place.look(turnNs, eventsWait);
    isBlocked = false;
    if (recorder != null) {
      recorder.beginTurn(turnNs, eventsWait, place.get());
      if (recorder.hasNote() && makeReadyForReport()) {
        addNote(recorder.takeNote());
      }
    }
  }

  private void addNote(String text) {
    ILoggingEvent note = OwnEvent.of(Level.INFO, text, context.loggers(), context.wall().millis());
    context.ledger().addReport();
    try {
      boolean unused = accept(note, null);
    } catch (Throwable t) { // foreign code, or the spool was just lost
      context.ledger().drop(failureReason(), note);
    }
    endOfBatch(); // there may be no other batch in this turn
  }

  @Override
  public boolean makeReady() {
    SpoolWriter writer = place.writer();
    boolean isClear = backlog.isEmpty() && !backlog.isUnsettled(); // an Error may have left it so
    boolean hasRoom = !isBlocked && writer != null && ((isClear && writer.isReady()) || makeRoom());
    isBlocked = recorder != null && !hasRoom;
    return hasRoom || (recorder != null && recorder.isOpen());
  }

  private boolean makeRoom() {
    boolean hasRoom =
        moveBacklog() || (place.leaveRefusing(context.clock().nanoTime()) && moveBacklog());
    if (!hasRoom) {
      shipping.freeSpace();
    }
    return hasRoom;
  }

  /** Moves waiting events to the spool; false if the spool takes no more. */
  private boolean moveBacklog() {
    SpoolWriter writer = place.writer();
    if (writer == null) {
      return false;
    }
    boolean takes = makeReady(writer);
    for (Backlog.Entry next = backlog.peek(); takes && next != null; next = backlog.peek()) {
      takes = add(writer, next.event(), next.bytes(), next.bytes().length);
      if (takes) {
        Backlog.Entry unused = backlog.poll();
        takes = makeReady(writer);
      }
    }
    if (backlog.isUnsettled()) {
      place.flush(); // its batch has ended, and no other event may come
      backlog.settle();
    }
    return takes;
  }

  private boolean makeReady(SpoolWriter writer) {
    return writer.isReady() || (place.flush() && writer.isReady());
  }

  @Override
  public boolean makeReadyForReport() {
    return makeReady() && !isBlocked;
  }

  @Override
  public @Nullable Encoder<ILoggingEvent> callerEncoder() {
    boolean isAllowed =
        context.settings().callerEncoding().compareTo(CallerEncoding.IF_NEEDED) >= 0;
    return isAllowed ? lines == null ? encoder : lines : null;
  }

  @Override
  public boolean callsMayWait() {
    return context.settings().callerEncoding() != CallerEncoding.NEVER;
  }

  @Override
  public boolean isEncodedByCalls() {
    return context.settings().callerEncoding() == CallerEncoding.ALWAYS;
  }

  @Override
  public @Nullable CallDurability durability() {
    return context.settings().durability();
  }

  @Override
  public boolean isReadyForCall(int bytes) {
    SpoolWriter writer = place.writerForCalls(durability() != null);
    return !isBlocked
        && backlog.isEmpty()
        && writer != null
        && writer.hasRoomNow(attributes == null ? bytes : Attributes.MOST_BEFORE + bytes)
        && (recorder == null || recorder.isReadyForCall(bytes));
  }

  @Override
  public boolean writeForCall() {
    if (recorder != null) {
      recorder.writeForCall();
    }
    boolean isWritten = backlog.isEmpty() && place.write();
    shipping.followCall();
    return isWritten;
  }

  @Override
  public boolean survivesKill() {
    return !place.isInHeap() && backlog.size() <= 1; // one is in hand until the flusher has room
  }

  @Override
  public boolean isOpening() {
    return place.isOpening();
  }

  @Override
  public boolean accept(ILoggingEvent event, byte @Nullable [] encoded) throws IOException {
    TextBuffer own = encoded == null ? line : null;
    if (own != null && lines != null) {
      lines.encode(event, own);
      return accept(event, own.bytes(), own.length());
    }
    byte[] made = encoded == null ? encoder.encode(event) : encoded;
    byte[] bytes = made == null ? LogbackParts.NOTHING : made;
    return accept(event, bytes, bytes.length);
  }

  /** Takes the first bytes of an array, which may be used again. Short: soon it is compiled. */
  private boolean accept(ILoggingEvent event, byte[] bytes, int length) throws IOException {
    boolean isUsual = recorder == null && attributes == null && !isBlocked && length > 0;
    SpoolWriter writer = isUsual ? place.writer() : null;
    if (writer == null
        || writer.append(bytes, 0, length, Levels.indexOf(event)) != SpoolWriter.Outcome.ADDED) {
      acceptAny(event, bytes, length);
    } else {
      taken++;
    }
    return true;
  }

  /** Lines of our own go to the log whatever their level, and are not recorded. */
  private void acceptAny(ILoggingEvent event, byte[] bytes, int length) throws IOException {
    if (length == 0) {
      context.ledger().deliver(1); // the encoder writes nothing for this event
    } else if (recorder == null
        || event instanceof OwnEvent
        || recorder.record(event, bytes, length)) {
      byte[] before = attributes == null ? null : attributes.apply(event);
      byte[] payload = before == null ? bytes : Attributes.join(before, bytes, length);
      pass(event, payload, before == null ? length : payload.length);
    }
  }

  /** Counted as taken only at the end: an event for which this throws is counted by the flusher. */
  private void pass(ILoggingEvent event, byte[] bytes, int length) throws IOException {
    SpoolWriter writer = place.writer();
    if (isBlocked && !backlog.add(event, bytes, length, Levels.indexOf(event))) {
      context.ledger().drop(DropReason.SPOOL_FULL, event);
      return;
    } else if (writer == null && !isBlocked) {
      throw new IOException("no spool");
    } else if (writer != null && !isBlocked && !add(writer, event, bytes, length)) {
      backlog.keep(event, bytes, length);
    }
    taken++;
  }

  /** Puts an event into the spool; false while that is full. */
  private boolean add(SpoolWriter writer, ILoggingEvent event, byte[] bytes, int length) {
    SpoolWriter.Outcome outcome = writer.append(bytes, 0, length, Levels.indexOf(event));
    if (outcome == SpoolWriter.Outcome.TOO_LARGE) {
      int limit = writer.maxPayloadBytes();
      String fault =
          length > limit
              ? "an event has %d bytes, limit %d: set a larger <segmentSize>"
              : "no memory for an event of %d bytes";
      account.spool.failed(new IOException(fault.formatted(length, limit)));
      account.neverSpooled(DropReason.TOO_LARGE, event);
    }
    return outcome != SpoolWriter.Outcome.FULL;
  }

  @Override
  public boolean isSettled() {
    return backlog.isEmpty() && place.isSettled() && (recorder == null || recorder.isSettled());
  }

  @Override
  public void endOfBatch() {
    if (recorder != null) {
      recorder.endOfBatch();
    }
    if (line != null) {
      line.clear(); // no event may follow that would
    }
    if (place.flush()) {
      account.spool.succeeded();
    }
    account.passedOn(taken, turnNs);
    shipping.follow(turnNs, place.isFilling());
  }

  @Override
  public void prepareForShutdown() {
    shipping.prepareForShutdown();
    if (recorder != null) {
      recorder.prepareForEnd();
    }
  }

  @Override
  public boolean holdsBack() {
    return recorder != null
        && (!backlog.isEmpty()
            || (recorder.owesDumps() && context.clock().nanoTime() - dumpsUntilNs < 0));
  }

  @Override
  public void prepareForStop() {
    if (recorder != null) {
      long stopNs = context.ring().maxFlushNs();
      dumpsUntilNs = context.clock().nanoTime() + stopNs / 2; // the shipper's thread has the rest
      recorder.prepareForStop(stopNs);
    }
  }

  @Override
  public void warnOfLeft() {
    long left = account.passedOn() - account.handled() - heldInHeap();
    account.warnOfLeft(shipping.isElsewhere() ? 0 : left);
  }

  @Override
  public void endWithJvm() {
    if (recorder != null) {
      recorder.endWithJvm();
    }
  }

  @Override
  public boolean flush(TimeLimit limit) {
    if (recorder != null) {
      recorder.awaitDumps(limit);
    }
    return shipping.await(account.passedOn(), this, limit);
  }

  @Override
  public void close() {
    place.rescue();
    boolean unused = moveBacklog();
    for (Backlog.Entry left = backlog.poll(); left != null; left = backlog.poll()) {
      account.neverSpooled(DropReason.ABANDONED, left.event());
    }
    backlog.settle();
    if (recorder != null) {
      recorder.close();
    }
    place.leave();
  }

  @Override
  public void stop(long timeoutNs) {
    shipping.stop(timeoutNs);
    place.stop();
  }

  @Override
  public String degraded() {
    String ofSpool = place.degraded();
    String ofRecorder = recorder == null ? "" : recorder.degraded();
    return ofSpool + (ofSpool.isEmpty() || ofRecorder.isEmpty() ? "" : "; ") + ofRecorder;
  }

  @Override
  public long heldInHeap() {
    long shipped = account.handled();
    return place.isInHeap() ? Math.max(0, account.passedOn() - shipped) : backlog.size();
  }

  @Override
  public void show(Map<String, Long> shown) {
    account.show(shown, place.get());
    place.showOverflow(shown);
    shown.put("compiledEncoder", lines != null && lines.isCurrent() ? 1L : 0L);
    if (recorder != null) {
      recorder.show(shown);
    }
  }
}
