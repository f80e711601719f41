package dev.forebay.benchmarks.lab;

/** A way to log to standard output, where that is a pipe. */
public enum PipePeer {
  CONSOLE("`ConsoleAppender`"),

  /** With all defaults but the queue size, which is that of the lab. */
  ASYNC("`AsyncAppender` around it"),

  /** With all defaults. */
  RING("`NonBlockingAppender` around it"),

  /** {@code TieredAppender} with a {@code <target>}. */
  FOREBAY("`TieredAppender`"),

  LOG4J2("Log4j2 async loggers");

  private final String label;

  PipePeer(String label) {
    this.label = label;
  }

  /** Name for people, in Markdown. */
  public String label() {
    return label;
  }

  /** One with the same libraries. */
  public Peer sibling() {
    return this == LOG4J2 ? Peer.LOG4J2 : Peer.FOREBAY;
  }

  /** Whether it is one of ours, which count what they drop. */
  public boolean isForebay() {
    return this == RING || this == FOREBAY;
  }
}
