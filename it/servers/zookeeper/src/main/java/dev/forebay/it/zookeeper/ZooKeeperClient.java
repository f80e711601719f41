package dev.forebay.it.zookeeper;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.zookeeper.CreateMode;
import org.apache.zookeeper.KeeperException;
import org.apache.zookeeper.Watcher.Event.KeeperState;
import org.apache.zookeeper.ZooDefs.Ids;
import org.apache.zookeeper.ZooKeeper;

/**
 * Reads a node of a ZooKeeper server again and again, until its standard input ends. Prints {@code
 * up} after the first; at its end how often it asked and was answered, and the longest time for one
 * in ms.
 */
public final class ZooKeeperClient {

  private static final String NODE = "/forebay";
  private static final int NODE_BYTES = 1000;
  private static final int SESSION_MS = 60_000;

  private ZooKeeperClient() {}

  /**
   * Runs the client.
   *
   * @param arguments host and port of the server
   */
  @SuppressWarnings("try") // an interrupted close ends the client, as it should
  public static void main(String[] arguments)
      throws IOException, InterruptedException, KeeperException {
    CompletableFuture<Void> end = CompletableFuture.runAsync(ZooKeeperClient::awaitEnd);
    CountDownLatch connected = new CountDownLatch(1);
    try (ZooKeeper server =
        new ZooKeeper(
            arguments[0],
            SESSION_MS,
            event -> {
              if (event.getState() == KeeperState.SyncConnected) {
                connected.countDown();
              }
            })) {
      if (!connected.await(SESSION_MS, TimeUnit.MILLISECONDS)) {
        throw new IOException("no connection");
      }
      server.create(NODE, new byte[NODE_BYTES], Ids.OPEN_ACL_UNSAFE, CreateMode.EPHEMERAL);
      System.out.println("up");
      long asked = 0;
      long answered = 0;
      long longestNs = 0;
      while (!end.isDone()) {
        long startNs = System.nanoTime();
        asked++;
        answered += server.getData(NODE, false, null).length == NODE_BYTES ? 1 : 0;
        longestNs = Math.max(longestNs, System.nanoTime() - startNs);
        Thread.sleep(1);
      }
      System.out.println("written " + asked + " read " + answered + " ms " + longestNs / 1_000_000);
    }
  }

  private static void awaitEnd() {
    try {
      int unused = System.in.read();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
