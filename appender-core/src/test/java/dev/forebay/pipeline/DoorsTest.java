package dev.forebay.pipeline;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.forebay.agent.Agent;
import dev.forebay.agent.Parking;
import dev.forebay.host.Await;
import java.io.IOException;
import java.net.ProtocolFamily;
import java.net.ServerSocket;
import java.net.SocketAddress;
import java.net.SocketOption;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.DatagramChannel;
import java.nio.channels.Pipe;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.channels.spi.AbstractSelector;
import java.nio.channels.spi.SelectorProvider;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A thread that parks until it is unparked or someone knocks. */
class DoorsTest {

  private static final long HOUR_NS = TimeUnit.HOURS.toNanos(1);

  @TempDir private Path directory;

  private final Doors doors = new Doors();
  private final List<Runnable> knocks = new CopyOnWriteArrayList<>();
  private final List<SocketChannel> clients = new ArrayList<>();
  private ServerSocketChannel server;

  private final Door door =
      new Door() {
        @Override
        public ServerSocketChannel channel() {
          return server;
        }

        @Override
        public void knocked(Runnable again) {
          knocks.add(again);
        }
      };

  @BeforeEach
  void bind() throws IOException {
    server = ServerSocketChannel.open(StandardProtocolFamily.UNIX);
    server.bind(UnixDomainSocketAddress.of(directory.resolve("door")));
    server.configureBlocking(false);
  }

  @AfterEach
  void close() throws IOException {
    doors.close();
    server.close();
    for (SocketChannel client : clients) {
      client.close();
    }
  }

  private void knock() throws IOException {
    clients.add(SocketChannel.open(UnixDomainSocketAddress.of(directory.resolve("door"))));
  }

  private void look() {
    doors.look(() -> {});
  }

  private Thread parked(long parkNs) {
    Thread thread = new Thread(() -> doors.park(this, parkNs));
    thread.start();
    Await.until("parked", () -> isParked(thread));
    return thread;
  }

  /** In a native method of a selector, or by the parking of threads. */
  private static boolean isParked(Thread thread) {
    String stack = List.of(thread.getStackTrace()).toString();
    return stack.contains("LockSupport.park") || stack.contains("EPoll.wait");
  }

  @Test
  void someoneWhoKnocksEndsAParkWithoutATimer() throws Exception {
    doors.add(door);
    look();
    Thread parked = parked(Agent.UNTIL_WOKEN);
    knock();
    Await.end(parked);
    look();

    assertThat(knocks).hasSize(1);
  }

  @Test
  void anUnparkEndsAParkBeforeAndAfterTheFirstDoor() {
    for (long parkNs : new long[] {Agent.UNTIL_WOKEN, HOUR_NS}) {
      Thread parked = parked(parkNs);
      doors.unpark(parked);
      Await.end(parked);
    }
    doors.add(door);
    look();
    for (long parkNs : new long[] {Agent.UNTIL_WOKEN, HOUR_NS}) {
      Thread parked = parked(parkNs);
      doors.unpark(parked);
      Await.end(parked);
    }
  }

  @Test
  void anUnparkBeforeTheParkEndsItAtOnce() {
    doors.add(door);
    look();
    Thread self = Thread.currentThread();
    doors.unpark(self);
    doors.park(this, Agent.UNTIL_WOKEN);
    assertThat(knocks).isEmpty();
  }

  @Test
  void aTimedParkEndsByItself() {
    doors.add(door);
    look();
    doors.park(this, 1);
    assertThat(knocks).isEmpty();
  }

  /** HotSpot's end waits for threads in native code, such as one in a selector. */
  @Test
  void onceTheJvmIsEndingNobodyWaitsInASelectorButWhoKnocksIsHeard() throws Exception {
    List<Long> parks = new ArrayList<>();
    Doors ending =
        new Doors(
            new Parking() {
              @Override
              public void park(Object blocker, long parkNs) {
                parks.add(parkNs);
              }

              @Override
              public void unpark(Thread thread) {}
            });
    ending.add(door);
    ending.look(() -> {});
    ending.prepareForShutdown();
    ending.park(this, Agent.UNTIL_WOKEN);
    ending.park(this, 1);
    ending.look(() -> {});
    assertThat(parks).containsExactly(Doors.POLL_NS, 1L);
    assertThat(knocks).isEmpty();
    knock();
    ending.park(this, Agent.UNTIL_WOKEN);
    ending.look(() -> {});

    assertThat(knocks).hasSize(1);
    ending.close();
  }

  @Test
  void aDoorIsWaitedAtAgainOnlyOnRequest() throws Exception {
    doors.add(door);
    look();
    knock();
    doors.park(this, Agent.UNTIL_WOKEN);
    look();
    doors.park(this, 1); // still nobody has let the client in
    look();
    assertThat(knocks).hasSize(1);
    knocks.get(0).run();
    look();
    doors.park(this, Agent.UNTIL_WOKEN);
    look();

    assertThat(knocks).hasSize(2);
  }

  @Test
  void aDoorThatItsOwnerHasClosedIsForgotten() throws Exception {
    doors.add(door);
    look();
    server.close();
    doors.add(door);
    look();
    doors.park(this, 1);
    look();
    assertThat(knocks).isEmpty();
  }

  /** One complaint for all looks until it works. */
  @Test
  void withoutADescriptorForASelectorItTriesAgainAtEachLook() throws Exception {
    doors.add(
        new Door() {
          private int looks;

          @Override
          public ServerSocketChannel channel() {
            return ++looks <= 3 ? new WithoutSelector() : server;
          }

          @Override
          public void knocked(Runnable again) {
            knocks.add(again);
          }
        });
    assertThatIllegalStateException().isThrownBy(this::look).withMessageContaining("selector");
    look();
    assertThat(doors.isSettled()).isFalse();
    look();
    assertThat(doors.isSettled()).isFalse();
    look();
    assertThat(doors.isSettled()).isTrue();
    knock();
    doors.park(this, Agent.UNTIL_WOKEN);
    look();

    assertThat(knocks).hasSize(1);
  }

  /** A channel in a process that has used up its descriptors. */
  private static final class WithoutSelector extends ServerSocketChannel {

    WithoutSelector() {
      super(
          new SelectorProvider() {
            @Override
            public AbstractSelector openSelector() throws IOException {
              throw new IOException("Too many open files");
            }

            @Override
            public DatagramChannel openDatagramChannel() {
              throw new UnsupportedOperationException();
            }

            @Override
            public DatagramChannel openDatagramChannel(ProtocolFamily family) {
              throw new UnsupportedOperationException();
            }

            @Override
            public Pipe openPipe() {
              throw new UnsupportedOperationException();
            }

            @Override
            public ServerSocketChannel openServerSocketChannel() {
              throw new UnsupportedOperationException();
            }

            @Override
            public SocketChannel openSocketChannel() {
              throw new UnsupportedOperationException();
            }
          });
    }

    @Override
    public ServerSocketChannel bind(SocketAddress local, int backlog) {
      throw new UnsupportedOperationException();
    }

    @Override
    public <T> ServerSocketChannel setOption(SocketOption<T> name, T value) {
      throw new UnsupportedOperationException();
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
    public SocketChannel accept() {
      throw new UnsupportedOperationException();
    }

    @Override
    public SocketAddress getLocalAddress() {
      throw new UnsupportedOperationException();
    }

    @Override
    protected void implCloseSelectableChannel() {}

    @Override
    protected void implConfigureBlocking(boolean block) {}
  }
}
