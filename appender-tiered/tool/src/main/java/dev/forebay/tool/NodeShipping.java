package dev.forebay.tool;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.apart.ShippedLog;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Ships for all users of a machine, each with its own rights: our own logs by a service of this
 * process, those of each other user by a child that runs as that user. A thread looks for users and
 * for children that have ended.
 */
final class NodeShipping implements Shipping {

  /** Starts a child for a user. */
  interface Starter {
    Process start(SpoolUsers.User user) throws IOException;
  }

  private static final long LOOK_MS = 2000;
  private static final long SHORTEST_PAUSE_NS = TimeUnit.SECONDS.toNanos(1);
  private static final long LONGEST_PAUSE_NS = TimeUnit.MINUTES.toNanos(1);
  private static final long MESSAGES_NS = TimeUnit.MINUTES.toNanos(1);

  /** A user without a directory for this time needs no child. */
  private static final long UNUSED_NS = TimeUnit.MINUTES.toNanos(1);

  /** Of one look, so that a machine with many users is not busy with starts only. */
  private static final int STARTS = 4;

  /**
   * Users with children, of some 60 MB each: who has subordinate ids can make directories of 65,536
   * users.
   */
  static final int MOST_USERS = 128;

  private static final long ANSWER_MS = 1000;

  /** What is known of a user. Guarded by the shipping. */
  private static final class Known {
    SpoolUsers.User user;
    @Nullable UserShip child;
    long startedNs;
    long mayStartNs;
    long pauseNs = SHORTEST_PAUSE_NS;
    long seenNs;
    boolean hasFailed;

    /** One of those with children, also while it has none. */
    boolean isAdmitted;

    Known(SpoolUsers.User user, long nowNs) {
      this.user = user;
      this.mayStartNs = nowNs;
    }
  }

  private final Shipping own;
  private final SpoolUsers users;
  private final Starter starter;
  private final Messages messages;
  private final NanoClock clock;
  private final CountDownLatch closed = new CountDownLatch(1);

  // Guarded by this.
  private final Map<Integer, Known> known = new LinkedHashMap<>(); // as they came
  private boolean canStart = true;
  private boolean isFull;
  private long messagesNs;

  NodeShipping(
      Shipping own, SpoolUsers users, Starter starter, Messages messages, NanoClock clock) {
    this.own = own;
    this.users = users;
    this.starter = starter;
    this.messages = messages;
    this.clock = clock;
  }

  @Override
  public void start() {
    own.start();
    look();
    Thread thread = new Thread(this::lookOnAndOn, "forebay-users");
    thread.setDaemon(true);
    thread.start();
  }

  private void lookOnAndOn() {
    while (isOpenAfter(LOOK_MS)) {
      try {
        look();
      } catch (RuntimeException | Error e) {
        messages.warn("cannot look after the processes of users", e);
      }
    }
  }

  private boolean isOpenAfter(long ms) {
    try {
      return !closed.await(ms, TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) { // nobody does
      return false;
    }
  }

  /** Starts the children that are missing, and ends those that nobody needs. */
  synchronized void look() {
    if (closed.getCount() == 0) {
      return;
    }
    long nowNs = clock.nanoTime();
    for (SpoolUsers.User user : users.look().values()) {
      Known one = known.computeIfAbsent(user.id(), id -> new Known(user, nowNs));
      one.seenNs = nowNs;
      if (one.child == null) {
        one.user = user;
      }
    }
    admit();
    int starts = 0;
    for (Known one : List.copyOf(known.values())) {
      boolean isUsed = nowNs - one.seenNs < UNUSED_NS;
      UserShip child = one.child;
      if (child != null && !child.isAlive()) {
        ended(one, child, nowNs, isUsed);
      } else if (child != null && !isUsed) {
        child.end();
      } else if (child == null && !isUsed) {
        known.remove(one.user.id());
      }
      boolean isMissing = one.child == null && isUsed && one.isAdmitted;
      if (isMissing && nowNs - one.mayStartNs >= 0 && starts < STARTS) {
        starts++;
        start(one, nowNs);
      }
    }
    if (nowNs - messagesNs >= MESSAGES_NS) {
      messagesNs = nowNs;
      children().forEach(UserShip::allowMessages);
    }
  }

  /** Chooses who gets a child: first accounts of the system, then others, as they came. */
  private void admit() {
    List<Known> waiting = new ArrayList<>(known.values());
    waiting.removeIf(one -> one.isAdmitted);
    int free = MOST_USERS - (known.size() - waiting.size());
    waiting.sort(Comparator.comparing(one -> !one.user.isKnown()));
    for (Known one : waiting) {
      one.isAdmitted = free-- > 0;
      one.hasFailed |= !one.isAdmitted;
    }
    if (free < 0 && !isFull) {
      messages.warn(
          "%s users have spools; processes ship for %d of them at most, and leave those of %s to their applications"
              .formatted(Text.count(known.size()), MOST_USERS, Text.count(-free)));
    }
    isFull = free < 0;
  }

  private void ended(Known one, UserShip child, long nowNs, boolean isUsed) {
    one.child = null;
    one.hasFailed = true;
    boolean isSoon = nowNs - one.startedNs < LONGEST_PAUSE_NS;
    one.pauseNs = isSoon ? Math.min(2 * one.pauseNs, LONGEST_PAUSE_NS) : SHORTEST_PAUSE_NS;
    one.mayStartNs = nowNs + one.pauseNs;
    if (isUsed) {
      messages.warn(
          "the process that ships for user %s ended with exit code %d; the next one starts in %s"
              .formatted(
                  one.user.name(), child.exitCode(), Text.age(Duration.ofNanos(one.pauseNs))));
    }
  }

  private void start(Known one, long nowNs) {
    try {
      one.startedNs = nowNs;
      one.child = new UserShip(one.user, starter.start(one.user), messages::say, clock);
      canStart = true;
    } catch (IOException e) {
      if (canStart) { // once for all users
        messages.error(
            "cannot start a process for user %s: setpriv, of util-linux, is needed for logs of other users than root"
                .formatted(one.user.name()),
            e);
      }
      canStart = false;
      one.hasFailed = true;
      one.pauseNs = Math.min(2 * one.pauseNs, LONGEST_PAUSE_NS);
      one.mayStartNs = nowNs + one.pauseNs;
    }
  }

  private synchronized List<UserShip> children() {
    List<UserShip> children = new ArrayList<>();
    for (Known one : known.values()) {
      UserShip child = one.child;
      if (child != null) {
        children.add(child);
      }
    }
    return children;
  }

  @Override
  public List<ShippedLog> logs() {
    List<ShippedLog> logs = new ArrayList<>(own.logs());
    List<UserShip> children = children();
    children.forEach(UserShip::ask);
    long startNs = clock.nanoTime();
    for (UserShip child : children) {
      long passedMs = TimeUnit.NANOSECONDS.toMillis(clock.nanoTime() - startNs);
      boolean unused = child.isAnswered(ANSWER_MS - passedMs); // otherwise its last answer
      logs.addAll(child.logs());
    }
    return logs;
  }

  @Override
  public boolean hasLooked() {
    children().forEach(UserShip::ask);
    return own.hasLooked() && areAllKnown();
  }

  private synchronized boolean areAllKnown() {
    for (Known one : known.values()) {
      UserShip child = one.child;
      if (!one.hasFailed && (child == null || child.isSilent())) {
        return false;
      }
    }
    return true;
  }

  @Override
  public boolean isDrained() {
    children().forEach(UserShip::ask);
    return own.isDrained()
        && missing() == 0
        && children().stream().allMatch(child -> child.isAnswered(ANSWER_MS) && child.isDrained());
  }

  @Override
  public synchronized int missing() {
    int missing = 0;
    for (Known one : known.values()) {
      UserShip child = one.child;
      missing += child == null || !child.isAlive() || child.isSilent() ? 1 : 0;
    }
    return missing;
  }

  @Override
  public void close(long limitNs) {
    List<UserShip> children;
    synchronized (this) {
      closed.countDown();
      children = children();
    }
    children.forEach(UserShip::end);
    long startNs = clock.nanoTime();
    own.close(limitNs);
    for (UserShip child : children) {
      try {
        child.awaitEnd(Math.max(1, limitNs - (clock.nanoTime() - startNs)));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
