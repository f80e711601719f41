package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.observe.Printable;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** A child that ships for one user. Nothing that it prints is believed beyond that user's logs. */
final class UserShip {

  private static final int MAX_LINE = 16 * 1024;
  private static final int MAX_LOGS = 10_000;

  /** Messages in one period; a user may have a process print without end. */
  private static final int MESSAGES = 60;

  private static final long SILENCE_NS = TimeUnit.SECONDS.toNanos(10);
  private static final long WAIT_MS = 20;

  private final SpoolUsers.User user;
  private final Process process;
  private final Consumer<String> messages;
  private final NanoClock clock;
  private final Thread reader;

  // Guarded by this.
  private List<ShippedLog> logs = List.of();
  private boolean isDrained;
  private boolean isAsked;
  private long askedNs;
  private boolean hasAnswered;

  // Used by the reader.
  private final List<ShippedLog> answer = new ArrayList<>();
  private boolean saysDrained;

  // Guarded by this.
  private int allowed = MESSAGES;
  private int leftOut;

  UserShip(SpoolUsers.User user, Process process, Consumer<String> messages, NanoClock clock) {
    this.user = user;
    this.clock = clock;
    this.process = process;
    this.messages = messages;
    this.reader = new Thread(this::read, "forebay-user-" + user.id());
    reader.setDaemon(true);
    reader.start();
  }

  boolean isAlive() {
    return process.isAlive();
  }

  int exitCode() {
    return process.exitValue();
  }

  /** Asks for its logs, if the last answer has come. */
  void ask() {
    synchronized (this) {
      if (isAsked || !isAlive()) {
        return;
      }
      isAsked = true;
      askedNs = clock.nanoTime();
    }
    try {
      OutputStream questions = process.getOutputStream();
      questions.write((ShipPipe.QUESTION + "\n").getBytes(StandardCharsets.UTF_8));
      questions.flush(); // one question waits at most: a pipe has room for it
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Whether the last question is answered; waits for that. */
  synchronized boolean isAnswered(long limitMs) {
    long leftMs = limitMs;
    while (isAsked && leftMs > 0 && isAlive()) {
      try {
        wait(Math.min(leftMs, WAIT_MS));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return false;
      }
      leftMs -= WAIT_MS;
    }
    return !isAsked && hasAnswered;
  }

  synchronized List<ShippedLog> logs() {
    return logs;
  }

  /** Whether it has not answered yet, or for long. */
  synchronized boolean isSilent() {
    return !hasAnswered || (isAsked && clock.nanoTime() - askedNs > SILENCE_NS);
  }

  synchronized boolean isDrained() {
    return isDrained && hasAnswered && !isAsked;
  }

  /** Begins a period for messages. */
  void allowMessages() {
    int left;
    synchronized (this) {
      left = leftOut;
      allowed = MESSAGES;
      leftOut = 0;
    }
    if (left > 0) {
      say(Text.count(left) + " messages in a minute left out");
    }
  }

  private void say(String text) {
    messages.accept("user " + user.name() + ": " + text);
  }

  private void read() {
    try (InputStream from = process.getInputStream()) {
      StringBuilder line = new StringBuilder();
      byte[] bytes = new byte[MAX_LINE];
      for (int count = from.read(bytes); count >= 0; count = from.read(bytes)) {
        // Of UTF-8, which a line is decoded from below, no part but a line feed looks like one.
        String text = new String(bytes, 0, count, StandardCharsets.ISO_8859_1);
        int start = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', start)) {
          take(line, text, start, end);
          receive(new String(latin(line), StandardCharsets.UTF_8));
          line.setLength(0);
          start = end + 1;
        }
        take(line, text, start, text.length());
      }
    } catch (IOException e) {
      // It has ended.
    }
    synchronized (this) {
      isAsked = false;
      notifyAll();
    }
  }

  private static byte[] latin(StringBuilder line) {
    return line.toString().getBytes(StandardCharsets.ISO_8859_1);
  }

  private static void take(StringBuilder line, String text, int start, int end) {
    line.append(text, start, Math.min(end, start + Math.max(0, MAX_LINE - line.length())));
  }

  private void receive(String line) {
    if (line.isEmpty()) {
      return;
    }
    if (line.charAt(0) != ShipPipe.MARK) {
      String text = line.startsWith("forebay: ") ? line.substring("forebay: ".length()) : line;
      synchronized (this) {
        if (allowed-- <= 0) {
          leftOut++;
          return;
        }
      }
      say(Printable.text(text));
      return;
    }
    if (line.equals(ShipPipe.END)) {
      synchronized (this) {
        logs = List.copyOf(answer);
        isDrained = saysDrained;
        isAsked = false;
        hasAnswered = true;
        notifyAll();
      }
      answer.clear();
      saysDrained = false;
      return;
    }
    saysDrained |= ShipPipe.saysDrained(line);
    ShippedLog log = ShipPipe.log(line, user.directories());
    if (log != null && answer.size() < MAX_LOGS) {
      answer.add(log);
    }
  }

  /** Asks the child to end: it does when its standard input ends. */
  void end() {
    try {
      process.getOutputStream().close();
    } catch (IOException e) {
      // It has ended.
    }
  }

  /** Waits for the end of the child and of what it prints; kills it after that. */
  void awaitEnd(long limitNs) throws InterruptedException {
    if (!process.waitFor(limitNs, TimeUnit.NANOSECONDS)) {
      say("did not end in time: killed; what is copied is compared by the next one that ships");
      process.destroyForcibly();
    }
    reader.join(WAIT_MS);
  }
}
