package dev.forebay.tool;

import dev.forebay.tiered.spool.RecordBatch;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;

/** Prints records to standard output: their bytes as they are, or each as a JSON object. */
final class Records {

  /** The reader of the pipe has gone, as {@code head} does when it has enough. */
  static final class ReaderGone extends IOException {
    @java.io.Serial private static final long serialVersionUID = 1;

    ReaderGone(IOException cause) {
      super(cause);
    }
  }

  private final boolean isJson;

  /** Never closed: standard output belongs to the process. */
  private final FileChannel out = new FileOutputStream(FileDescriptor.out).getChannel();

  Records(boolean isJson) {
    this.isJson = isJson;
  }

  void print(RecordBatch batch) throws IOException {
    ByteBuffer bytes = batch.payload();
    if (isJson) {
      bytes = ByteBuffer.wrap(json(batch).getBytes(StandardCharsets.UTF_8));
    }
    try {
      while (bytes.hasRemaining()) {
        out.write(bytes);
      }
    } catch (IOException e) {
      throw new ReaderGone(e);
    }
  }

  private static String json(RecordBatch batch) {
    StringBuilder all = new StringBuilder();
    ByteBuffer payload = batch.payload();
    for (int i = 0; i < batch.count(); i++) {
      byte[] record = new byte[batch.byteCount(i + 1) - batch.byteCount(i)];
      payload.get(record);
      String text = new String(record, StandardCharsets.UTF_8);
      Json json =
          new Json()
              .put("sequence", batch.firstSequence() + i)
              .put("text", text.endsWith("\n") ? text.substring(0, text.length() - 1) : text);
      all.append(json).append('\n');
    }
    return all.toString();
  }
}
