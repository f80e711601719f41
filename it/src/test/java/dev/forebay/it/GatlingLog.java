package dev.forebay.it;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * The lines in all files of a log, of which there are too many to hold.
 *
 * @param count how many
 * @param torn how many of them are not from a brace to a brace and a line end
 * @param bytes of all files
 */
record GatlingLog(long count, long torn, long bytes) {

  private static final int BUFFER = 1 << 20;

  static GatlingLog read(Path active) throws IOException {
    long[] sums = new long[3];
    for (Path path : LogFiles.of(active).paths()) {
      addTo(sums, path);
    }
    return new GatlingLog(sums[0], sums[1], sums[2]);
  }

  private static void addTo(long[] sums, Path path) throws IOException {
    try (InputStream in = new BufferedInputStream(Files.newInputStream(path), BUFFER)) {
      byte[] buffer = new byte[BUFFER];
      int first = -1;
      int last = -1;
      for (int length = in.read(buffer); length >= 0; length = in.read(buffer)) {
        sums[2] += length;
        for (int i = 0; i < length; i++) {
          if (buffer[i] == '\n') {
            sums[0]++;
            sums[1] += first == '{' && last == '}' ? 0 : 1;
            first = -1;
            last = -1;
          } else {
            first = first < 0 ? buffer[i] : first;
            last = buffer[i];
          }
        }
      }
      if (first >= 0) {
        sums[0]++;
        sums[1]++;
      }
    }
  }
}
