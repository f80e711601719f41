package dev.forebay.tiered.control;

import dev.forebay.observe.ControlMXBean;
import dev.forebay.observe.JmxRegistration;
import dev.forebay.observe.Printable;
import dev.forebay.pipeline.Door;
import dev.forebay.pipeline.Outpost;
import java.io.IOException;
import java.nio.file.Path;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * What steers one appender: the MXBean, and the socket in the directory of the spool in use. A
 * spool in the heap has none. In turns of the reporter only.
 */
public final class ControlPost implements Outpost {

  private final String appender;
  private final ControlMXBean control;
  private final JmxRegistration jmx;
  private final int userId;
  private final Supplier<@Nullable Path> spool;
  private final BiConsumer<String, @Nullable Throwable> warnings;
  private final Consumer<String> remarks;

  private @Nullable ControlSocket socket;

  /**
   * @param appender its name
   * @param control what requests do
   * @param jmx where the bean is registered
   * @param userId the user of this process
   * @param spool the directory of the spool in use; null while there is none with a directory
   * @param warnings must not throw, like the next
   * @param remarks of what nobody need mend
   */
  public ControlPost(
      String appender,
      ControlMXBean control,
      JmxRegistration jmx,
      int userId,
      Supplier<@Nullable Path> spool,
      BiConsumer<String, @Nullable Throwable> warnings,
      Consumer<String> remarks) {
    this.appender = appender;
    this.control = control;
    this.jmx = jmx;
    this.userId = userId;
    this.spool = spool;
    this.warnings = warnings;
    this.remarks = remarks;
  }

  @Override
  public void tend(Consumer<Door> watch) {
    jmx.open(control);
    Path wanted = spool.get();
    ControlSocket before = socket;
    if (before != null && before.directory().equals(wanted)) {
      return;
    }
    closeSocket();
    if (wanted == null) {
      return;
    }
    try {
      ControlSocket bound =
          ControlSocket.bind(
              wanted,
              Peers.ofUser(userId),
              new Requests(control)::answer,
              "forebay-control-" + appender);
      socket = bound;
      watch.accept(bound);
    } catch (LinkageError e) { // an image of jlink, for example
      remarks.accept(
          "No control socket: the runtime lacks the module jdk.net. Add it, or steer by JMX");
    } catch (IOException | RuntimeException e) {
      warnings.accept(
          "No control socket in %s: %s. Steer by JMX, or write <control>false</control>"
              .formatted(wanted, Printable.text(e.toString())),
          e);
    }
  }

  private void closeSocket() {
    ControlSocket before = socket;
    socket = null;
    if (before != null) {
      before.close();
    }
  }

  @Override
  public void close() {
    jmx.close();
    closeSocket();
  }
}
