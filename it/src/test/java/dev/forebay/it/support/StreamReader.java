package dev.forebay.it.support;

import dev.forebay.host.Command;
import java.io.ByteArrayOutputStream;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/**
 * The reader of a child's standard output, which is a pipe with a name: reads when the test says
 * so, and keeps what it has read.
 */
public final class StreamReader implements AutoCloseable {

  private static final int CHUNK_BYTES = 64 * 1024;

  private final Path pipe;
  private final ByteArrayOutputStream read = new ByteArrayOutputStream();
  private FileInputStream from;

  private StreamReader(Path pipe) {
    this.pipe = pipe;
  }

  /** Makes the pipe; {@link #open} must follow the start of the child, which waits for that. */
  public static StreamReader at(Path pipe) throws IOException, InterruptedException {
    Command.run("mkfifo", pipe.toString());
    return new StreamReader(pipe);
  }

  /** The command around a child's that lets it write there. */
  public String[] around() {
    return new String[] {"sh", "-c", "exec \"$@\" > " + pipe, "sh"};
  }

  /** Waits until the child has opened its end. */
  public StreamReader open() throws IOException {
    from = new FileInputStream(pipe.toFile());
    return this;
  }

  /** Reads on until there are so many lines. */
  public void readLines(int count) throws IOException {
    byte[] bytes = new byte[CHUNK_BYTES];
    while (lines().size() < count) {
      int more = from.read(bytes);
      if (more < 0) {
        throw new IOException("ended after " + lines().size() + " of " + count + " lines");
      }
      read.write(bytes, 0, more);
    }
  }

  /** Reads what is in the pipe. The writer should not run meanwhile. */
  public void readAvailable() throws IOException {
    byte[] bytes = new byte[from.available()];
    read.write(bytes, 0, Math.max(0, from.read(bytes)));
  }

  /** Reads until the child is gone; all lines from the first on. */
  public List<String> readToEnd() throws IOException {
    from.transferTo(read);
    return lines();
  }

  /** Reads no more: writes to the pipe fail from then on. */
  public void goAway() throws IOException {
    from.close();
  }

  public List<String> lines() {
    return read.toString(StandardCharsets.UTF_8).lines().toList();
  }

  @Override
  public void close() throws IOException {
    if (from != null) {
      from.close();
    }
  }
}
