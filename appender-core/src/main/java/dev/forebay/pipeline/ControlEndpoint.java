package dev.forebay.pipeline;

/**
 * Where an appender is observed or steered, from a second after its start until it stops. For the
 * {@link Reporter}'s thread, unless a method says otherwise; may block.
 */
public interface ControlEndpoint {

  /** Opens what is missing, and closes what is not wanted any more. Called again and again. */
  void tend();

  /** Closes everything, when the appender stops; {@link #tend} does not follow. */
  void close();

  /** Lets no thread wait in native code, which holds up the JVM's end. The shutdown hook. */
  default void endWithJvm() {}
}
