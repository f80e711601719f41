package dev.forebay.tiered.control;

import dev.forebay.agent.Voice;
import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.Printable;
import dev.forebay.pipeline.ControlEndpoint;
import dev.forebay.pipeline.JmxRegistration;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What steers one appender: its MXBean, and its name at the socket of the process, in the directory
 * of the spool in use. A spool in the heap has none. For the reporter's thread, unless a comment
 * says otherwise.
 */
public final class ControlPost implements ControlEndpoint {

  private final ControlMXBean control;
  private final JmxRegistration jmx;

  /** The directory of the spool in use; null while there is none with a directory. */
  private final Supplier<@Nullable Path> spool;

  private final Voice voice;

  /** The directory in which a socket was last tried. */
  private @Nullable Path served;

  /** Set once the socket is open; read by the shutdown hook. */
  private volatile @Nullable ControlSocket socket;

  public ControlPost(
      ControlMXBean control, JmxRegistration jmx, Supplier<@Nullable Path> spool, Voice voice) {
    this.control = control;
    this.jmx = jmx;
    this.spool = spool;
    this.voice = voice;
  }

  @Override
  public void tend() {
    jmx.tend();
    Path wanted = spool.get();
    Path before = served;
    if (Objects.equals(before, wanted)) {
      return;
    }
    served = wanted;
    if (wanted != null && SocketAddresses.arePossible()) {
      serve(wanted);
    }
    leave(before);
  }

  private void serve(Path wanted) {
    try {
      ControlSocket shared = ControlSocket.ofProcess(wanted);
      socket = shared;
      shared.serve(wanted, new Requests(control));
    } catch (LinkageError e) { // an image of jlink, for example
      voice.info(
          "No control socket: the runtime lacks the module jdk.net. Add it, or steer by JMX");
    } catch (IOException | RuntimeException e) {
      if (!Files.isDirectory(wanted)) {
        return; // it has been shipped meanwhile, by a stop perhaps
      }
      voice.warn(
          "No control socket in %s: %s. Steer by JMX, or write <control>false</control>"
              .formatted(wanted, Printable.text(e.toString())),
          e);
    }
  }

  private void leave(@Nullable Path before) {
    ControlSocket shared = socket;
    try {
      if (before != null && shared != null) {
        shared.leave(before);
      }
    } catch (IOException e) {
      if (before != null && Files.isDirectory(before)) { // else removed with it, or out of reach
        voice.warn("The control socket in %s cannot be removed: %s".formatted(before, e), e);
      }
    }
  }

  @Override
  public void close() {
    jmx.close();
    leave(served);
    served = null;
  }

  /** The shutdown hook. */
  @Override
  public void endWithJvm() {
    ControlSocket shared = socket;
    if (shared != null) {
      shared.end();
    }
  }
}
