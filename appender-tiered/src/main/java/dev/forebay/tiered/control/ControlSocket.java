package dev.forebay.tiered.control;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.spool.Spool;
import java.io.IOException;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.attribute.UserPrincipal;
import java.nio.file.attribute.UserPrincipalLookupService;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import jdk.net.ExtendedSocketOptions;
import jdk.net.UnixDomainPrincipal;
import org.jspecify.annotations.Nullable;

/**
 * The socket of all appenders that share this class, usually those of a process. It has a name in
 * the directory of each of their spools; spools on another file system share another socket. The
 * holder of a spool's lock owns the name: an earlier file of that name is a leftover.
 *
 * <p>One thread a socket lets clients in and answers one after the other: a line in, an answer out.
 * The directory's mode admits only our own user and root; the kernel names the user of the process
 * that connected.
 */
final class ControlSocket {

  /** The longest line, with its end. */
  static final int MAX_REQUEST_BYTES = 1024;

  /** Clients that wait for those before them; more of them wait in {@code connect}. */
  private static final int BACKLOG = 16;

  /** How long a client may take to send its line, and to take the answer: other clients wait. */
  private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

  private static final long POLL_NS = TimeUnit.MILLISECONDS.toNanos(1);

  /** After a client could not be let in, for example because too many files are open, or failed. */
  private static final long PAUSE_NS = TimeUnit.MILLISECONDS.toNanos(100);

  /** Principals of one number are equal, whatever their names. */
  private static final String ROOT = "0";

  /** Guarded by the class. */
  private static @Nullable ControlSocket ofProcess;

  private final Set<UserPrincipal> admitted;

  /** In a field, so that a runtime without {@code jdk.net} fails before a socket is bound. */
  private final SocketOption<UnixDomainPrincipal> peer = ExtendedSocketOptions.SO_PEERCRED;

  /** The socket that has a name in a spool's directory, and what answers for the spool. */
  private record Served(ServerSocketChannel server, UnaryOperator<String> answers) {}

  /**
   * By the spool's directory. Written with the lock; read by sockets' threads and shutdown hook.
   */
  private final Map<Path, Served> served = new ConcurrentHashMap<>();

  /** Set once, by the shutdown hook. */
  private volatile boolean isOver;

  /** Answers only these users. */
  ControlSocket(Set<UserPrincipal> admitted) {
    this.admitted = admitted;
  }

  /**
   * The socket that all appenders share.
   *
   * @param spool a directory of our own user
   */
  static synchronized ControlSocket ofProcess(Path spool) throws IOException {
    ControlSocket known = ofProcess;
    if (known == null) {
      UserPrincipalLookupService users = spool.getFileSystem().getUserPrincipalLookupService();
      known =
          new ControlSocket(
              new HashSet<>(List.of(Files.getOwner(spool), users.lookupPrincipalByName(ROOT))));
      ofProcess = known;
    }
    return known;
  }

  /**
   * Answers requests for a spool whose lock we hold.
   *
   * @param answers to each line, on the socket's thread
   */
  synchronized void serve(Path spool, UnaryOperator<String> answers) throws IOException {
    Path made = spool.resolve(Spool.CONTROL_SOCKET_BEING_BOUND);
    Files.deleteIfExists(made);
    ServerSocketChannel known = link(made);
    ServerSocketChannel server = known == null ? bind(spool, made) : known;
    served.put(spool, new Served(server, answers));
    boolean isDone = false;
    try {
      // Only now, as a socket that is bound and does not listen yet refuses connections.
      Files.move(made, spool.resolve(Spool.CONTROL_SOCKET), StandardCopyOption.ATOMIC_MOVE);
      isDone = true;
    } finally {
      if (!isDone) {
        forget(spool);
      } else if (isOver) {
        closeQuietly(server);
      }
    }
  }

  /** Answers no more requests for it. Clients that are served get their answers. */
  synchronized void leave(Path spool) throws IOException {
    if (forget(spool)) {
      Files.deleteIfExists(spool.resolve(Spool.CONTROL_SOCKET));
    }
  }

  /** Removes a spool; with the last one, closes the socket. False if it was not served. */
  private boolean forget(Path spool) {
    Served gone = served.remove(spool);
    if (gone != null && served.values().stream().noneMatch(one -> one.server == gone.server)) {
      closeQuietly(gone.server);
    }
    return gone != null;
  }

  /** Ends the wait for clients: HotSpot gives threads in native code 0.3 s at the JVM's end. */
  void end() {
    isOver = true;
    served.values().forEach(one -> closeQuietly(one.server));
  }

  private static void closeQuietly(ServerSocketChannel open) {
    try {
      open.close();
    } catch (IOException e) {
      // Closing failed, but nothing was written.
    }
  }

  /** Gives a socket that we have one more name; null if there is none on this file system. */
  private @Nullable ServerSocketChannel link(Path made) {
    for (Map.Entry<Path, Served> other : served.entrySet()) {
      try {
        Files.createLink(made, other.getKey().resolve(Spool.CONTROL_SOCKET));
        return other.getValue().server;
      } catch (IOException | UnsupportedOperationException e) {
        // Elsewhere, or removed by another process.
      }
    }
    return null;
  }

  private ServerSocketChannel bind(Path spool, Path made) throws IOException {
    ServerSocketChannel fresh = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    boolean isBound = false;
    try {
      SocketAddresses.with(
          spool,
          Spool.CONTROL_SOCKET_BEING_BOUND,
          address -> fresh.bind(address, BACKLOG)); // and listens
      Files.setPosixFilePermissions(made, PosixFilePermissions.fromString("rw-------"));
      Thread thread = new Thread(null, () -> receive(fresh), "forebay-control", 0, false);
      thread.setDaemon(true);
      thread.setContextClassLoader(ControlSocket.class.getClassLoader());
      thread.start();
      isBound = true;
      return fresh;
    } finally {
      if (!isBound) {
        closeQuietly(fresh);
      }
    }
  }

  /** Lets clients in, until the socket is closed. */
  void receive(ServerSocketChannel at) {
    while (at.isOpen()) {
      try (SocketChannel client = at.accept()) {
        if (admitted.contains(client.getOption(peer).user())) {
          converse(client);
        }
      } catch (Throwable t) {
        // No descriptor or memory for the client, the client has gone, or the answer failed.
        if (at.isOpen()) {
          LockSupport.parkNanos(this, PAUSE_NS);
        }
      }
    }
  }

  /** A client that is too slow is left without an answer. */
  private void converse(SocketChannel client) throws IOException {
    client.configureBlocking(false);
    String line = readLine(client);
    if (line != null) {
      ByteBuffer answer = StandardCharsets.UTF_8.encode(answer(line));
      long deadlineNs = NanoClock.SYSTEM.nanoTime() + PATIENCE_NS;
      while (answer.hasRemaining() && (client.write(answer) > 0 || pause(deadlineNs))) {
        // until the client has taken all of it
      }
    }
  }

  /** Null if the client has gone or is too slow; "" if it sends too much, which names no spool. */
  private static @Nullable String readLine(SocketChannel client) throws IOException {
    ByteBuffer bytes = ByteBuffer.allocate(MAX_REQUEST_BYTES);
    long deadlineNs = NanoClock.SYSTEM.nanoTime() + PATIENCE_NS;
    while (bytes.hasRemaining()) {
      int read = client.read(bytes);
      for (int i = bytes.position() - read; read > 0 && i < bytes.position(); i++) {
        if (bytes.get(i) == '\n') {
          return StandardCharsets.UTF_8.decode(bytes.flip().limit(i)).toString();
        }
      }
      if (read < 0 || (read == 0 && !pause(deadlineNs))) {
        return null;
      }
    }
    return "";
  }

  /** Whether there is time left, after a moment. */
  private static boolean pause(long deadlineNs) {
    LockSupport.parkNanos(POLL_NS);
    return NanoClock.SYSTEM.nanoTime() - deadlineNs < 0;
  }

  /** A line is the name of a spool and a request. */
  private String answer(String line) {
    int space = line.indexOf(' ');
    String name = space < 0 ? line : line.substring(0, space);
    for (Map.Entry<Path, Served> one : served.entrySet()) {
      if (one.getKey().endsWith(name)) {
        return one.getValue().answers.apply(line.substring(name.length()));
      }
    }
    return Requests.error("no spool here has the name \"" + name + "\"; a request begins with it");
  }
}
