package dev.forebay.tiered.control;

import dev.forebay.host.Await;
import java.io.IOException;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.net.SocketOption;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.SelectorProvider;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The thread that lets clients in outlives what it cannot have, and rests meanwhile. */
@Tag("once")
class ControlAcceptTest {

  /** Lets nobody in, as without descriptors or memory. */
  private static final class Exhausted extends ServerSocketChannel {

    final AtomicInteger attempts = new AtomicInteger();

    Exhausted() {
      super(SelectorProvider.provider());
    }

    @Override
    public SocketChannel accept() throws IOException {
      if (attempts.incrementAndGet() % 2 == 0) {
        throw new OutOfMemoryError("as if");
      }
      throw new SocketException("Too many open files");
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) {
      return this;
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
      return this;
    }

    @Override
    public <T> T getOption(SocketOption<T> name) {
      throw new UnsupportedOperationException();
    }

    @Override
    public Set<SocketOption<?>> supportedOptions() {
      return Set.of();
    }

    @Override
    public ServerSocket socket() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress() {
      throw new UnsupportedOperationException();
    }
  }

  @Test
  void whileNobodyCanBeLetInItRestsTriesAgainAndEndsWithItsSocket() throws Exception {
    ControlSocket socket = new ControlSocket(Set.of());
    Exhausted server = new Exhausted();
    Thread receives = new Thread(() -> socket.receive(server));
    try (server) {
      receives.start();
      Await.until("it rests", () -> LockSupport.getBlocker(receives) == socket);
      Await.until("it tries again", () -> server.attempts.get() > 3);
      Await.until("it rests again", () -> LockSupport.getBlocker(receives) == socket);
    }
    Await.end(receives);
  }
}
