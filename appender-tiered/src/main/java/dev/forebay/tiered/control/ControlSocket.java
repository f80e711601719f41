package dev.forebay.tiered.control;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.Spool;
import java.io.Closeable;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * The socket of all appenders that share this class, usually those of a process. It lies in the
 * directory of one spool, and links in those of the others lead to it. Whoever holds a spool's lock
 * owns the name: what stands there before is left over.
 *
 * <p>One thread waits in {@code accept}, and each client has a thread of its own. So no client
 * holds up another, until there are {@value #MAX_CLIENTS}; later ones wait. The more there are, the
 * shorter a silent one may stay.
 */
final class ControlSocket {

  static final int MAX_CLIENTS = 8;

  /** Clients that wait, which others have to outwait; more of them wait in {@code connect}. */
  private static final int BACKLOG = 16;

  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(2);

  /** After a client could not be let in, for example because too many files are open. */
  private static final long PAUSE_NS = TimeUnit.SECONDS.toNanos(1);

  /** Guarded by the class. */
  private static @Nullable ControlSocket ofProcess;

  private final Peers peers;
  private final Executor threads;

  /** What answers for a spool, by its directory. Written with the lock; read by any client's. */
  private final Map<Path, UnaryOperator<String>> served = new ConcurrentHashMap<>();

  private final Semaphore places = new Semaphore(MAX_CLIENTS);

  /** The spool in whose directory the socket lies. Guarded by this. */
  private @Nullable Path home;

  /** Written with the lock; read by the shutdown hook. */
  private volatile @Nullable ServerSocketChannel server;

  /** Set once, by the shutdown hook. */
  private volatile boolean isOver;

  /**
   * @param threads runs each piece of work on a thread of its own; may throw an OutOfMemoryError
   */
  ControlSocket(Peers peers, Executor threads) {
    this.peers = peers;
    this.threads = threads;
  }

  /** The one that the appenders share. */
  static synchronized ControlSocket ofProcess(int userId) throws IOException {
    ControlSocket known = ofProcess;
    if (known == null) {
      known = new ControlSocket(Peers.ofUser(userId), ControlSocket::start);
      ofProcess = known;
    }
    return known;
  }

  /** How long each of so many clients may take to send its line, and to take the answer. */
  static long patienceNs(int clients) {
    return PATIENCE_NS / clients;
  }

  /**
   * Answers requests for a spool whose lock we hold.
   *
   * @param answers to each line; called by many threads
   */
  synchronized void serve(Path spool, UnaryOperator<String> answers) throws IOException {
    Path former = home;
    if (former != null && !Files.isDirectory(former)) { // shipped, or removed by others
      served.remove(former);
      IOException unused = moveHome(null); // whoever has no place any more leaves soon
    }
    served.put(spool, answers);
    boolean isDone = false;
    try {
      open(spool);
      isDone = true;
    } finally {
      if (!isDone) {
        served.remove(spool);
        if (spool.equals(home)) {
          close(); // it has no name that a link could lead to
        }
      }
    }
  }

  /** Answers no more requests for it. Clients that are served get their answers. */
  synchronized void leave(Path spool) throws IOException {
    if (served.remove(spool) == null) {
      return;
    }
    IOException failure = null;
    try {
      Files.deleteIfExists(spool.resolve(Spool.CONTROL_SOCKET));
    } catch (IOException e) {
      failure = e;
    }
    if (spool.equals(home)) {
      failure = moveHome(failure);
    }
    if (failure != null) {
      throw failure;
    }
  }

  /** The first spool that takes the socket is the home of the others; returns what failed last. */
  private @Nullable IOException moveHome(@Nullable IOException before) {
    IOException failure = before;
    close();
    for (Path other : served.keySet()) {
      try {
        open(other);
      } catch (IOException e) { // for example, others have removed it
        failure = e;
        if (other.equals(home)) {
          close();
        }
      }
    }
    return failure;
  }

  /** Ends the wait for clients: HotSpot gives threads in native code 0.3 s at the JVM's end. */
  void end() {
    isOver = true;
    ServerSocketChannel open = server;
    if (open != null) {
      closeQuietly(open);
    }
  }

  private void close() {
    ServerSocketChannel open = server;
    server = null;
    home = null;
    if (open != null) {
      closeQuietly(open);
    }
  }

  private static void closeQuietly(Closeable open) {
    try {
      open.close();
    } catch (IOException e) {
      // Nothing was written.
    }
  }

  /**
   * Gives a spool the socket, or a link to it. It gets its name when it takes connections, since
   * one that is only bound refuses them.
   */
  private void open(Path spool) throws IOException {
    Path made = spool.resolve(Spool.CONTROL_SOCKET_BEING_BOUND);
    Files.deleteIfExists(made);
    Path at = home;
    if (at != null) {
      Path there = spool.toRealPath().relativize(at.toRealPath()); // ".." leaves the real one
      Files.createSymbolicLink(made, there.resolve(Spool.CONTROL_SOCKET));
    } else {
      bind(spool, made);
    }
    Files.move(made, spool.resolve(Spool.CONTROL_SOCKET), StandardCopyOption.ATOMIC_MOVE);
  }

  private void bind(Path spool, Path made) throws IOException {
    ServerSocketChannel fresh = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean isBound = false;
    try {
      SocketAddresses.with(
          spool,
          Spool.CONTROL_SOCKET_BEING_BOUND,
          address -> fresh.bind(address, BACKLOG)); // and listens
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
      server = fresh;
      home = spool;
      threads.execute(() -> receive(fresh));
      isBound = !isOver;
    } finally {
      if (!isBound) {
        close();
        closeQuietly(fresh);
      }
    }
  }

  private static void start(Runnable work) {
    Thread thread = new Thread(null, work, "forebay-control", 0, false);
    thread.setDaemon(true);
    thread.setContextClassLoader(ControlSocket.class.getClassLoader());
    thread.start();
  }

  /** Lets clients in. A thread of its own, until the socket is closed. */
  private void receive(ServerSocketChannel at) {
    while (at.isOpen()) {
      places.acquireUninterruptibly();
      SocketChannel client = accept(at);
      if (client == null || !isServed(client)) {
        places.release();
      }
    }
  }

  private boolean isServed(SocketChannel client) {
    try {
      threads.execute(() -> converse(client));
      return true;
    } catch (OutOfMemoryError e) { // no thread left: hung up on, so that it does not wait
      closeQuietly(client);
      LockSupport.parkNanos(this, PAUSE_NS);
      return false;
    }
  }

  private @Nullable SocketChannel accept(ServerSocketChannel at) {
    try {
      return at.accept();
    } catch (ClosedChannelException e) {
      return null;
    } catch (IOException e) {
      LockSupport.parkNanos(this, PAUSE_NS);
      return null;
    }
  }

  private void converse(SocketChannel client) {
    try (client) {
      if (peers.admit(client)) {
        long patienceNs = patienceNs(Math.max(1, MAX_CLIENTS - places.availablePermits()));
        new Conversation(client, NanoClock.SYSTEM, patienceNs).hold(this::answer);
      }
    } catch (IOException | RuntimeException e) {
      // The client has gone; or our own answer failed, which it sees by the missing answer.
    } finally {
      places.release();
    }
  }

  /** A line is the name of a spool and a request. */
  private String answer(String line) {
    int space = line.indexOf(' ');
    String name = space < 0 ? line : line.substring(0, space);
    UnaryOperator<String> answers = answers(name);
    return answers == null
        ? Requests.error("no spool here has the name \"" + name + "\"; a request begins with it")
        : answers.apply(line.substring(name.length()));
  }

  private @Nullable UnaryOperator<String> answers(String name) {
    for (Map.Entry<Path, UnaryOperator<String>> one : served.entrySet()) {
      if (one.getKey().endsWith(name)) {
        return one.getValue();
      }
    }
    return null;
  }
}
