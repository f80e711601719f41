package dev.forebay.javaagent.log;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Semaphore;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Standard error is a pipe that nobody reads. */
class StalledErrorTest {

  private final PrintStream before = System.err;
  private final Semaphore reached = new Semaphore(0);
  private final CountDownLatch opened = new CountDownLatch(1);
  private final CountDownLatch said = new CountDownLatch(1);

  private final class Pipe extends OutputStream {

    private final ByteArrayOutputStream text = new ByteArrayOutputStream();

    @Override
    public void write(int one) {
      reached.release();
      try {
        opened.await();
      } catch (InterruptedException e) {
        throw new IllegalStateException(e);
      }
      text.write(one);
      if (text.toString(StandardCharsets.UTF_8).contains("\"level\" is unknown")) {
        said.countDown();
      }
    }
  }

  @AfterEach
  void open() {
    opened.countDown();
    System.setErr(before);
  }

  @Test
  @Timeout(60)
  void whatIsWrongWithTheArgumentsHoldsUpNoStart() throws Exception {
    System.setErr(new PrintStream(new Pipe(), true, StandardCharsets.UTF_8));
    JvmLog log = new JvmLog();
    assertThat(log.test("level=debug")).isFalse();

    Thread start = new Thread(log);
    start.setDaemon(true);
    start.start();
    reached.acquire();
    start.join(30_000);
    assertThat(start.isAlive()).isFalse();

    opened.countDown();
    said.await();
  }
}
