package dev.forebay.kafka;

import dev.forebay.agent.NanoClock;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.ship.Destination;
import dev.forebay.tiered.ship.Records;
import dev.forebay.tiered.ship.RefusedRecords;
import dev.forebay.tiered.ship.ShippingListener;
import dev.forebay.tiered.spool.Attributes;
import dev.forebay.tiered.spool.RecordBatch;
import dev.forebay.tiered.spool.SpoolDirectory;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import org.jspecify.annotations.Nullable;

/**
 * A topic as a destination. What is final is what a transaction has committed; the checkpoint
 * beside the spool repeats it, for the tool, and for positions that the brokers have forgotten.
 * Without transactions it is all there is.
 *
 * <p>After a failure the next transactions are small and grow again, so that brokers that are slow
 * can commit one at all. A record that is refused for itself is sent alone, three times, and then
 * set aside; one that is refused for its time gets another.
 */
final class TopicDestination implements Destination {

  private static final int BATCH_BYTES = 256 * 1024;
  private static final long MAX_TRANSACTION_BYTES = 8L << 20;
  private static final long MIN_TRANSACTION_BYTES = 16 * 1024;
  private static final int KEY_DIGITS = 8;
  private static final int MIN_BATCH_BYTES = 1024;

  private final KafkaSettings settings;
  private final byte[] lineEnd;
  private final ShippingListener listener;
  private final RecordBatch batch = new RecordBatch(BATCH_BYTES);
  private final RefusedRecords refused;
  private final Suspects suspects = new Suspects();
  private final RecordTimes times = new RecordTimes(InstantSource.system(), NanoClock.SYSTEM);

  private @Nullable TopicProducer producer;
  private @Nullable InstanceId spool;
  private byte[] appenderKey = {};
  private long uncommitted;
  private long transactionBytes = MAX_TRANSACTION_BYTES;

  /** Of the producer; topics may take less, and their users need not be allowed to ask. */
  private int batchBytes;

  /** Touches nothing. */
  TopicDestination(KafkaSettings settings, byte[] lineEnd, ShippingListener listener) {
    this.settings = settings;
    this.lineEnd = lineEnd;
    this.listener = listener;
    this.refused = new RefusedRecords(name(), listener);
    this.batchBytes = settings.batchBytes();
  }

  @Override
  public String name() {
    return "topic " + settings.topic();
  }

  @Override
  public void take(Records records, boolean isLost) throws IOException {
    if (!records.instance().equals(spool)) {
      suspects.forget();
    } else if (isLost) {
      learn(records);
    }
    close();
    ClientLogFilter.SHIPPERS.add(Thread.currentThread().getName());
    spool = records.instance();
    appenderKey = keyOf(records.directory());
    TopicProducer fresh = client(records.instance());
    try {
      records.restart(fresh.begin());
      producer = fresh; // not before: abandon() would commit what this one has not sent
    } finally {
      if (producer == null) {
        fresh.close();
      }
    }
    uncommitted = 0;
    listener.opened();
  }

  /** Its constructor judges the settings, which each start would make anew. */
  private TopicProducer client(InstanceId of) throws IOException {
    try {
      return new TopicProducer(settings, of, batchBytes);
    } catch (RuntimeException e) { // not as a cause, which would show passwords
      IOException told =
          new IOException(
              "Kafka's client does not start: " + settings.hiding(TopicProducer.reason(e)));
      listener.openingFailed(told);
      throw told;
    }
  }

  /** From the failure of the last attempt. */
  private void learn(Records records) {
    TopicProducer last = producer;
    TopicProducer.Refusal refusal = last == null ? null : last.refusal();
    if (refusal == null) {
      transactionBytes = Math.max(MIN_TRANSACTION_BYTES, transactionBytes / 4);
    }
    if (last == null) {
      return;
    }
    if (refusal != null && refusal.isOfTime()) { // the same can be sent together, at other times
      times.refused(refusal.timeMs(), last.brokersMs(), last.begunNs());
      suspects.forget();
    } else if (batchBytes > MIN_BATCH_BYTES && last.hasTooLargeBatches()) {
      batchBytes = Math.max(MIN_BATCH_BYTES, batchBytes / 4);
      suspects.forget();
    } else {
      suspects.failed(
          records.committed(),
          records.appended(),
          refusal == null ? -1 : refusal.sequence(),
          refusal != null && refusal.byClient());
    }
  }

  /** The same at each start on this machine, and another one on each machine. */
  private byte[] keyOf(SpoolDirectory directory) {
    String host = settings.machine() == null ? Machine.name() : settings.machine();
    String slot = String.valueOf(directory.path().getFileName());
    String digits = slot.substring(0, Math.min(KEY_DIGITS, slot.length()));
    return (host + "-" + digits).getBytes(StandardCharsets.UTF_8);
  }

  @Override
  public int copy(Records records) throws IOException {
    try {
      return copyBatch(records);
    } catch (IOException e) {
      renew(records, e);
      return 0;
    }
  }

  /** Begins anew, without a report, after brokers have forgotten a producer idle for days. */
  private void renew(Records records, IOException cause) throws IOException {
    if (!taken().hasExpired()) {
      throw cause;
    }
    take(records, false);
  }

  private int copyBatch(Records records) throws IOException {
    TopicProducer to = taken();
    long limit = suspects.isAlone(records.appended()) ? 1 : Math.min(BATCH_BYTES, transactionBytes);
    while (records.skip(batch, limit)) {
      // what is missing takes no place
    }
    for (int i = 0; i < batch.count(); i++) {
      long sequence = batch.firstSequence() + i;
      ByteBuffer payload = batch.payload();
      payload.limit(batch.byteCount(i + 1)).position(batch.byteCount(i));
      EventAttributes attributes = EventAttributes.decode(Attributes.take(payload));
      boolean isAlone = suspects.isAlone(sequence);
      if (suspects.isSetAside(sequence)) {
        refused.add(records, sequence, bytesOf(payload), "");
        records.refuse();
      } else if (!isAlone || !records.hasUncommitted()) {
        byte[] key = attributes.key() == null ? appenderKey : attributes.key();
        byte[] value = bytesOf(withoutEnd(payload));
        to.send(sequence, times.of(attributes.timeMs()), key, value, attributes);
        records.append(sequence + 1);
      }
      if (isAlone) { // ends a transaction: one set aside would come back if a later one is refused
        records.seek(records.appended());
        uncommitted = transactionBytes;
        return (int) (records.appended() - batch.firstSequence());
      }
    }
    uncommitted += batch.byteCount();
    int count = batch.count();
    batch.clear();
    return count;
  }

  /** A byte that is a line end elsewhere may be one of a number or a character. */
  private ByteBuffer withoutEnd(ByteBuffer line) {
    int end = line.limit() - lineEnd.length;
    boolean isLine = end >= line.position();
    for (int i = 0; isLine && i < lineEnd.length; i++) {
      isLine = line.get(end + i) == lineEnd[i];
    }
    return isLine ? line.limit(end) : line;
  }

  private static byte[] bytesOf(ByteBuffer text) {
    byte[] bytes = new byte[text.remaining()];
    text.get(bytes);
    return bytes;
  }

  @Override
  public long uncommittedBytes(Records records) {
    return uncommitted >= transactionBytes ? Long.MAX_VALUE : uncommitted;
  }

  @Override
  public void commit(Records records) throws IOException {
    try {
      taken().commit(records.position());
    } catch (IOException e) {
      renew(records, e);
      return; // nothing is there now that could be committed
    }
    transactionBytes = Math.min(MAX_TRANSACTION_BYTES, 2 * transactionBytes);
    uncommitted = 0;
    records.save(); // first: without transactions nothing else knows it
    records.commit();
  }

  private TopicProducer taken() throws IOException {
    TopicProducer known = producer;
    if (known == null) {
      throw new IOException("no spool was taken");
    }
    return known;
  }

  @Override
  public boolean abandon(Records records) throws IOException {
    try {
      taken().commit(records.position());
      return true;
    } catch (RuntimeException e) { // of a commit that timed out, Kafka throws any
      throw new IOException(e.toString(), e);
    }
  }

  @Override
  public void close() {
    TopicProducer last = producer;
    producer = null;
    if (last != null) {
      last.close();
    }
  }
}
