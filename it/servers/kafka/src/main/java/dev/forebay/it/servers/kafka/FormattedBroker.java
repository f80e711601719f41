package dev.forebay.it.servers.kafka;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import kafka.Kafka;
import kafka.tools.StorageTool;

/** A broker whose directory is formatted in the same process: that saves the start of a JVM. */
public final class FormattedBroker {

  private FormattedBroker() {}

  /**
   * Runs until it is asked to end.
   *
   * @param args the file of its properties, its data directory, and more arguments of {@code
   *     kafka-storage format}
   */
  public static void main(String[] args) {
    if (Files.notExists(Path.of(args[1], "meta.properties"))) {
      List<String> format =
          new ArrayList<>(
              List.of("format", "--cluster-id", "Zm9yZWJheS1pdC0tLS0tLQ", "--config", args[0]));
      format.addAll(Arrays.asList(args).subList(2, args.length));
      int code = StorageTool.execute(format.toArray(new String[0]), System.out);
      if (code != 0) {
        System.exit(code);
      }
    }
    Kafka.main(new String[] {args[0]});
  }
}
