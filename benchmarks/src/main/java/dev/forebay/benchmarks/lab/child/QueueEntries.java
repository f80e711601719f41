package dev.forebay.benchmarks.lab.child;

import java.nio.file.Path;
import net.openhft.chronicle.queue.ChronicleQueue;
import net.openhft.chronicle.queue.ExcerptTailer;
import net.openhft.chronicle.wire.DocumentContext;

/** What Chronicle Logger left in its queue. */
final class QueueEntries {

  /** Where {@code /lab/chronicle.xml} has the queue, below the log directory. */
  private static final String QUEUE = "queue";

  private QueueEntries() {}

  /** How many events can be read. */
  static long count(Path logs) {
    long entries = 0;
    try (ChronicleQueue queue =
            ChronicleQueue.singleBuilder(logs.resolve(QUEUE)).readOnly(true).build();
        ExcerptTailer tailer = queue.createTailer()) {
      while (true) {
        try (DocumentContext entry = tailer.readingDocument()) {
          if (!entry.isPresent()) {
            return entries;
          }
          entries++;
        }
      }
    }
  }
}
