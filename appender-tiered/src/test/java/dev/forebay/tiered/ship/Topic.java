package dev.forebay.tiered.ship;

import dev.forebay.tiered.checkpoint.Checkpoint.SpoolPosition;
import dev.forebay.tiered.disk.Disk;
import dev.forebay.tiered.identity.InstanceId;
import dev.forebay.tiered.spool.RecordBatch;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What is no file: lines in memory that cannot be read back and become visible by transactions,
 * together with how far each spool is. It outlives its processes. Each request and each answer is a
 * call to a disk, so that whatever makes calls to that fail makes this fail too, before or after it
 * took effect.
 */
public final class Topic {

  private static final Path REQUEST = Path.of("/topic/request");
  private static final Path ANSWER = Path.of("/topic/answer");

  private final List<String> lines = new ArrayList<>();
  private final Map<InstanceId, SpoolPosition> ends = new HashMap<>();

  private final List<InstanceId> taken = new ArrayList<>();

  public List<String> lines() {
    return List.copyOf(lines);
  }

  /** Spools for which there is a producer, or was. */
  public List<InstanceId> taken() {
    return List.copyOf(taken);
  }

  public Destination of(Disk disk) {
    return new Producer(disk);
  }

  private final class Producer implements Destination {

    private final Disk disk;
    private final RecordBatch batch = new RecordBatch(512);

    private final List<String> pending = new ArrayList<>();

    private long pendingBytes;

    Producer(Disk disk) {
      this.disk = disk;
    }

    @Override
    public String name() {
      return "the topic";
    }

    @Override
    public void take(Records records, boolean isLost) throws IOException {
      abort();
      taken.add(records.instance());
      disk.stat(REQUEST);
      records.restart(ends.getOrDefault(records.instance(), SpoolPosition.NONE));
    }

    private void abort() {
      pending.clear();
      pendingBytes = 0;
    }

    @Override
    public int copy(Records records) throws IOException {
      while (records.skip(batch, 400)) {
        // what is missing takes no place
      }
      disk.stat(REQUEST);
      byte[] bytes = new byte[batch.byteCount()];
      batch.payload().get(bytes);
      for (int i = 0; i < batch.count(); i++) {
        int from = batch.byteCount(i);
        int length = batch.byteCount(i + 1) - from;
        pending.add(new String(bytes, from, length - 1, StandardCharsets.UTF_8)); // no line end
      }
      pendingBytes += bytes.length;
      if (batch.count() > 0) {
        records.append(batch.nextSequence());
      }
      return batch.count();
    }

    @Override
    public long uncommittedBytes(Records records) {
      return pendingBytes;
    }

    @Override
    public void commit(Records records) throws IOException {
      publish(records);
      records.save();
      records.commit();
    }

    private void publish(Records records) throws IOException {
      disk.stat(REQUEST);
      lines.addAll(pending);
      ends.put(records.instance(), records.position());
      abort();
      disk.stat(ANSWER);
    }

    @Override
    public boolean abandon(Records records) throws IOException {
      publish(records);
      return true;
    }

    @Override
    public void close() {}
  }
}
