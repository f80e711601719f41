package dev.forebay.otlp;

import ch.qos.logback.classic.Level;
import dev.forebay.agent.NanoClock;
import dev.forebay.otlp.Answer.Fate;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.ship.RefusedRecords;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.file.attribute.FileTime;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A receiver of OTLP as a destination. A commit is one request, and the checkpoint follows its
 * answer: what a kill leaves between the two is sent again, each record with the same identifier.
 *
 * <p>A request that is refused is sent again in halves, until the record is found that is the
 * cause. It is set aside once the receiver takes a record of our own in its place, which says so in
 * the log. If that is refused, too, the cause is not a record: all events wait.
 */
final class CollectorDestination implements Destination {

  private static final int MOST_RECORDS = 8192;
  private static final int MOST_BYTES = 1 << 20;
  private static final int LEAST_BYTES = 16 * 1024;
  private static final int BATCH_BYTES = 256 * 1024;
  private static final int TOO_LARGE = 413;
  private static final int SERVER_ERROR = 500;

  /** Errors of the server that a record gets alone before it is their cause. */
  private static final int MOST_ERRORS = 3;

  private final OtlpSettings settings;
  private final byte[] lineEnd;
  private final ShippingListener listener;
  private final NanoClock clock;
  private final InstantSource wall;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private final LogRequest request;
  private final RefusedRecords refused;

  private @Nullable OtlpClient client;

  /** Of the client's certificates, which may be renewed. */
  private List<@Nullable FileTime> certificateTimes = List.of();

  /** Records of a request, at most: fewer after a refusal, twice as many after each success. */
  private int most = MOST_RECORDS;

  /** Bytes of a request, at most: fewer once the receiver has refused so many. */
  private int mostBytes = MOST_BYTES;

  /** Until then the receiver wants no request; no limit if there is no reason. */
  private long silentUntilNs;

  private @Nullable String silentReason;

  /** The receiver's words to an accepted request that were reported last; null: none. */
  private @Nullable String reported;

  /** In succession, to a record alone. */
  private int errors;

  /** Whether the last request had no answer, or one that takes no record. */
  private boolean isFailing;

  /** Touches nothing. */
  CollectorDestination(
      OtlpSettings settings, byte[] lineEnd, ShippingListener listener, NanoClock clock) {
    this.settings = settings;
    this.lineEnd = lineEnd;
    this.listener = listener;
    this.clock = clock;
    this.wall = InstantSource.system();
    this.request = new LogRequest(settings.resource(), lineEnd);
    this.refused = new RefusedRecords(name(), listener);
  }

  @Override
  public String name() {
    return settings.name();
  }

  @Override
  public void take(Records records, boolean isLost) throws IOException {
    request.clear();
    String reason = silentReason;
    if (reason != null && silentUntilNs - clock.nanoTime() > 0) {
      throw new IOException(reason);
    }
    silentReason = null;
    List<@Nullable FileTime> times = Certificates.times(settings);
    if (client == null || !times.equals(certificateTimes)) {
      client = newClient();
      certificateTimes = times;
    }
    records.restart();
    listener.opened();
  }

  private OtlpClient newClient() throws IOException {
    try {
      return new OtlpClient(settings, wall);
    } catch (IOException e) {
      listener.openingFailed(e);
      throw e;
    }
  }

  @Override
  public int copy(Records records) throws IOException {
    int room = most - request.count();
    int roomBytes = Math.max(1, mostBytes - request.payloadBytes());
    if (room <= 0) {
      return 0;
    }
    while (records.skip(batch, room == 1 ? 1 : Math.min(BATCH_BYTES, roomBytes))) {
      // what is missing takes no place
    }
    int count = Math.min(room, batch.count());
    for (int i = 0; i < count; i++) {
      ByteBuffer payload = batch.payload();
      payload.limit(batch.byteCount(i + 1)).position(batch.byteCount(i));
      request.add(payload, records.instance(), batch.firstSequence() + i);
    }
    records.append(records.appended() + count);
    if (count < batch.count()) {
      records.seek(records.appended());
    }
    batch.clear();
    return count;
  }

  @Override
  public long uncommittedBytes(Records records) {
    boolean isFull = request.count() >= most || request.payloadBytes() >= mostBytes;
    // While it fails at once, or a turn that only copies would count as a success.
    return isFull || isFailing ? Long.MAX_VALUE : request.payloadBytes();
  }

  @Override
  public void commit(Records records) throws IOException {
    try {
      if (request.count() > 0 && !isSettled(records)) {
        return; // nothing is there now that could be committed
      }
      isFailing = false;
    } catch (IOException e) {
      isFailing = true;
      request.clear();
      records.restart(); // or events that come meanwhile would look like progress
      throw e;
    }
    request.clear();
    records.save();
    records.commit();
  }

  /** Sends the request; whether each of its records is there or set aside. */
  private boolean isSettled(Records records) throws IOException {
    Answer answer = sent(request);
    if (answer.fate() == Fate.REFUSED && request.count() > 1) {
      halve(records, answer);
      return false;
    } else if (answer.status() == SERVER_ERROR && ++errors < MOST_ERRORS) {
      throw new IOException(answer.text() + "; it fails, see its log");
    } else if (answer.fate() == Fate.REFUSED) {
      errors = 0;
      setAside(records, answer);
    } else {
      taken(records, answer);
    }
    return true;
  }

  private Answer sent(LogRequest what) throws IOException {
    OtlpClient to = client;
    if (to == null) {
      throw new IOException("no spool was taken");
    }
    Answer answer = to.send(what.encode(settings.isCompressed()));
    if (answer.fate() == Fate.LATER && answer.retryAfterMs() > 0) {
      silentUntilNs = clock.nanoTime() + TimeUnit.MILLISECONDS.toNanos(answer.retryAfterMs());
      silentReason = answer.text() + "; it asks to wait for " + answer.retryAfterMs() + " ms";
    }
    if (answer.fate() == Fate.LATER || answer.fate() == Fate.NOT_HERE) {
      throw new IOException(silentReason == null ? answer.advice() : silentReason);
    }
    return answer;
  }

  private void halve(Records records, Answer answer) throws IOException {
    most = request.count() / 2;
    if (answer.status() == TOO_LARGE) {
      mostBytes = Math.max(LEAST_BYTES, Math.min(mostBytes, request.payloadBytes() / 2));
    }
    request.clear();
    records.restart();
  }

  private void taken(Records records, Answer answer) {
    long rejected = Math.min(request.count(), answer.rejected());
    String words = answer.message();
    if ((rejected > 0 || !words.isEmpty()) && !words.equals(reported)) {
      reported = words;
      listener.warn(
          rejected == 0
              ? "The %s takes all events of a request and says: %s".formatted(name(), words)
              : "The %s refuses %d of %d events of a request, which are lost: %s"
                  .formatted(
                      name(),
                      rejected,
                      request.count(),
                      words.isEmpty() ? "it does not say why" : words));
    }
    refuse(records, rejected);
    errors = 0;
    most = Math.min(MOST_RECORDS, 2 * most);
  }

  /** The last appended records are not there. */
  private static void refuse(Records records, long count) {
    records.append(records.appended() - count);
    for (long i = 0; i < count; i++) {
      records.refuse();
    }
  }

  private void setAside(Records records, Answer answer) throws IOException {
    long sequence = records.appended() - 1;
    byte[] line = request.firstLine();
    String text =
        "[forebay] the collector refuses an event of %d bytes, number %d of its spool: %s"
            .formatted(line.length, sequence, answer.text());
    LogRequest instead = new LogRequest(settings.resource(), lineEnd);
    instead.add(
        new EventFields().encode("dev.forebay", wall.instant(), Level.WARN),
        text,
        records.instance() + "-" + sequence + "-refused");
    if (sent(instead).fate() == Fate.REFUSED) {
      throw new IOException(answer.advice());
    }
    Answer again = sent(request);
    if (again.fate() != Fate.REFUSED) {
      taken(records, again); // it takes records again, since between the two
      return;
    }
    refused.add(records, sequence, line, " (" + answer.text() + ")");
    refuse(records, 1);
  }

  @Override
  public boolean abandon(Records records) throws IOException {
    if (request.count() > 0) {
      Answer answer = sent(request);
      if (answer.fate() == Fate.REFUSED) {
        return false;
      }
      taken(records, answer);
      request.clear();
    }
    return true;
  }

  @Override
  public void close() {
    client = null;
    request.clear();
  }
}
