package dev.forebay.tiered.control;

import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.Printable;
import dev.forebay.pipeline.JmxRegistration;
import dev.forebay.pipeline.Outpost;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What steers one appender: its MXBean, and its name at the socket of the process, in the directory
 * of the spool in use. A spool in the heap has none. For the reporter's thread, unless a comment
 * says otherwise.
 */
public final class ControlPost implements Outpost {

  private final ControlMXBean control;
  private final JmxRegistration jmx;
  private final int userId;
  private final Supplier<@Nullable Path> spool;
  private final BiConsumer<String, @Nullable Throwable> warnings;
  private final Consumer<String> remarks;

  /** Where it was tried last. */
  private @Nullable Path served;

  /** Set once there is one; read by the shutdown hook. */
  private volatile @Nullable ControlSocket socket;

  /**
   * @param control what requests do
   * @param jmx where the bean is registered
   * @param userId the user of this process
   * @param spool the directory of the spool in use; null while there is none with a directory
   * @param warnings must not throw, like the next
   * @param remarks of what nobody need mend
   */
  public ControlPost(
      ControlMXBean control,
      JmxRegistration jmx,
      int userId,
      Supplier<@Nullable Path> spool,
      BiConsumer<String, @Nullable Throwable> warnings,
      Consumer<String> remarks) {
    this.control = control;
    this.jmx = jmx;
    this.userId = userId;
    this.spool = spool;
    this.warnings = warnings;
    this.remarks = remarks;
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
    if (wanted != null) {
      serve(wanted);
    }
    leave(before);
  }

  private void serve(Path wanted) {
    try {
      ControlSocket shared = ControlSocket.ofProcess(userId);
      socket = shared;
      shared.serve(wanted, new Requests(control));
    } catch (LinkageError e) { // an image of jlink, for example
      remarks.accept(
          "No control socket: the runtime lacks the module jdk.net. Add it, or steer by JMX");
    } catch (IOException | RuntimeException e) {
      if (!Files.isDirectory(wanted)) {
        return; // it has been shipped meanwhile, by a stop perhaps
      }
      warnings.accept(
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
      warnings.accept("No control socket for the other appenders: " + e, e);
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
