package dev.forebay.tiered.control;

import dev.forebay.agent.NanoClock;
import dev.forebay.pipeline.Door;
import dev.forebay.tiered.spool.Spool;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The socket in a spool's directory. Whoever holds the spool's lock owns the name: what stands
 * there when a socket is bound is left over.
 *
 * <p>Nobody waits in {@code accept}: the watcher begins a thread for a client, which lets it in and
 * then has the watcher wait for the next. So no client holds up another, until there are {@value
 * #MAX_CLIENTS}; later ones wait. The more there are, the shorter a silent one may stay.
 */
final class ControlSocket implements Door, Closeable {

  static final int MAX_CLIENTS = 8;

  /** Clients that wait, which others have to outwait; more of them wait in {@code connect}. */
  private static final int BACKLOG = 16;

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

  /** After a client could not be let in, for example because too many files are open. */
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  private final Path directory;
  private final ServerSocketChannel server;
  private final Peers peers;
  private final UnaryOperator<String> answers;
  private final String threadName;

  /** Clients that are served. Guarded by this. */
  private int clients;

  /** Has the watcher wait for the next client, once there are fewer. Guarded by this. */
  private @Nullable Runnable postponed;

  private ControlSocket(
      Path directory,
      ServerSocketChannel server,
      Peers peers,
      UnaryOperator<String> answers,
      String threadName) {
    this.directory = directory;
    this.server = server;
    this.peers = peers;
    this.answers = answers;
    this.threadName = threadName;
  }

  /**
   * Binds a socket in the directory of a spool whose lock we hold. It gets its name when it takes
   * connections, since one that is only bound refuses them.
   *
   * @param answers to each line; called by many threads
   */
  static ControlSocket bind(
      Path spool, Peers peers, UnaryOperator<String> answers, String threadName)
      throws IOException {
    Path bound = spool.resolve(Spool.CONTROL_SOCKET_BEING_BOUND);
    Files.deleteIfExists(bound);
    ServerSocketChannel server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean isBound = false;
    try {
      SocketAddresses.with(
          spool,
          Spool.CONTROL_SOCKET_BEING_BOUND,
          address -> server.bind(address, BACKLOG)); // and listens
      Files.setPosixFilePermissions(bound, PosixFilePermissions.fromString("rw-------"));
      server.configureBlocking(false);
      Files.move(bound, spool.resolve(Spool.CONTROL_SOCKET), StandardCopyOption.ATOMIC_MOVE);
      isBound = true;
    } finally {
      if (!isBound) {
        server.close();
      }
    }
    return new ControlSocket(spool, server, peers, answers, threadName);
  }

  /** How long each of so many clients may take to send its line, and to take the answer. */
  static long patienceNs(int clients) {
    return PATIENCE_NS / clients;
  }

  /** The directory of the spool. */
  Path directory() {
    return directory;
  }

  @Override
  public ServerSocketChannel channel() {
    return server;
  }

  @Override
  public void knocked(Runnable again) {
    Thread thread = new Thread(null, () -> receive(again), threadName, 0, false);
    thread.setDaemon(true);
    try {
      thread.start();
    } catch (OutOfMemoryError e) { // no thread left: clients are refused, rather than left waiting
      close();
    }
  }

  /** Lets one client in and serves it. A thread of its own. */
  private void receive(Runnable again) {
    long patienceNs = patienceNs(begun(again));
    try (SocketChannel client = accept()) {
      next();
      if (client != null && peers.admit(client)) {
        new Conversation(client, NanoClock.SYSTEM, patienceNs).hold(answers);
      }
    } catch (IOException | RuntimeException e) {
      // The client has gone; or our own answer failed, which it sees by the missing answer.
    } finally {
      ended();
    }
  }

  private @Nullable SocketChannel accept() {
    try {
      return server.accept();
    } catch (IOException e) { // also if it was just closed
      if (server.isOpen()) {
        LockSupport.parkNanos(this, PAUSE_NS);
      }
      return null;
    }
  }

  private synchronized int begun(Runnable again) {
    clients++;
    postponed = again;
    return clients;
  }

  private synchronized void ended() {
    clients--;
    next();
  }

  private synchronized void next() {
    Runnable again = postponed;
    if (again != null && clients < MAX_CLIENTS) {
      postponed = null;
      again.run();
    }
  }

  /** Removes the name of the socket and closes it. Clients that are served get their answers. */
  @Override
  public void close() {
    try {
      try (server) {
        Files.deleteIfExists(directory.resolve(Spool.CONTROL_SOCKET));
      }
    } catch (IOException e) {
      // Whoever recovers the spool removes it.
    }
  }
}
