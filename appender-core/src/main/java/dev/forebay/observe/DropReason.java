package dev.forebay.observe;

/** Every reason for which an offered event does not reach its destination. */
public enum DropReason {
  /** The ring was full. */
  RING_FULL(true),
  /** The ring was filled to the limit of the event's level; less important levels go first. */
  SHED(true),
  /** Too little of {@code ringBufferBytes} was left for a large event. */
  BYTES_FULL(true, "set a larger <ringBufferBytes>, half of which is for large events"),
  /** The caller waited for {@code appendTimeout} and the ring was still full. */
  TIMEOUT(true),
  /** The caller was interrupted while it waited for a full ring. */
  INTERRUPTED(true),
  /** Logged by a thread that carries events, or while a call of the same appender was running. */
  REENTRANT(true),
  /** A filter or the formatting of the message threw. */
  PREPARE_FAILED(true),
  /** Logged before {@code start()} or after {@code stop()}. */
  STOPPED(true),
  /** Beyond what the {@code <limit>} of its logger lets pass. */
  LIMITED(true),
  /**
   * Still in the ring when {@code maxFlushTime} had passed in {@code stop()}, or put there by a log
   * call that {@code stop()} overtook.
   */
  ABANDONED(false),
  /**
   * An Error ended the log call after it claimed a slot of the ring and before it filled it, or its
   * thread had no processor there for 0.75 s. The level is unknown; counts as ERROR.
   */
  OFFER_FAILED(false),
  /** The encoder threw. */
  ENCODE_FAILED(false),
  /** At least one attached appender did not take the event. */
  DELIVERY_FAILED(false),
  /** The encoded event is larger than a spool segment. */
  TOO_LARGE(false, "set a larger <segmentSize>"),
  /** The event was in the spool when the spool was damaged or removed. */
  SPOOL_LOST(false),
  /** The destination refuses this one event, for its size for instance; it is set aside. */
  REFUSED(false),
  /**
   * The spool was full, and so was the memory in which a flight recorder lets events wait for it.
   */
  SPOOL_FULL(false),
  /** The flight recorder could not store it, and it is for nothing else. */
  NOT_RECORDED(false);

  private final boolean refusal;
  private final String remedy;

  DropReason(boolean refusal) {
    this(refusal, "");
  }

  DropReason(boolean refusal, String remedy) {
    this.refusal = refusal;
    this.remedy = remedy;
  }

  /** How to raise a limit on the size of an event; "" for other reasons. */
  String remedy() {
    return remedy;
  }

  /** Whether the event was refused before it entered the ring. */
  public boolean isRefusal() {
    return refusal;
  }
}
