package dev.forebay.observe;

/** Every way in which an event that was offered does not reach its destination. */
public enum DropReason {
  /** The ring was full. */
  RING_FULL(true),
  /** The ring was filled to the limit of the event's level: the less important goes first. */
  SHED(true),
  /** A large event found too little left of {@code ringBufferBytes}. */
  BYTES_FULL(true, "set a larger <ringBufferBytes>, half of which is for large events"),
  /** The caller waited for {@code appendTimeout} and the ring was still full. */
  TIMEOUT(true),
  /** The caller was interrupted while it waited for a full ring. */
  INTERRUPTED(true),
  /** Logged by a thread that carries events, or while a call of the same appender was running. */
  REENTRANT(true),
  /** A filter, or the event itself while its message was formatted, threw. */
  PREPARE_FAILED(true),
  /** Logged before {@code start()} or after {@code stop()}. */
  STOPPED(true),
  /** Still in the ring when {@code maxFlushTime} had passed in {@code stop()}. */
  ABANDONED(false),
  /**
   * An Error ended the log call after it had taken a slot of the ring and before it had filled it.
   * The level is not known; counts as ERROR.
   */
  OFFER_FAILED(false),
  /** The encoder threw. */
  ENCODE_FAILED(false),
  /** At least one of the attached appenders did not take it. */
  DELIVERY_FAILED(false),
  /** Encoded, it is larger than a spool segment. */
  TOO_LARGE(false, "set a larger <segmentSize>"),
  /** It was in the spool when the spool was damaged or removed. */
  SPOOL_LOST(false);

  private final boolean atTheDoor;
  private final String remedy;

  DropReason(boolean atTheDoor) {
    this(atTheDoor, "");
  }

  DropReason(boolean atTheDoor, String remedy) {
    this.atTheDoor = atTheDoor;
    this.remedy = remedy;
  }

  /** What a user can do against a limit on the size of an event; "" for other reasons. */
  String remedy() {
    return remedy;
  }

  /** Whether the event was refused before it entered the ring. */
  public boolean isAtTheDoor() {
    return atTheDoor;
  }
}
