#!/usr/bin/env bash
# Without a broker KafkaProducer.send() of kafka-clients 4.1.1 throws nothing after max.block.ms: it runs the callback
# on the caller's own thread, returns a future that has failed, and flush() returns as if all were well.
#
# A guess would be a TimeoutException from send(), which is what blocks, and callbacks on the network thread only. A
# callback that logs through an appender that sends to Kafka, or that takes a lock of the network thread's, runs within
# the call.
#
# Seen on 2026-11-28 with JDK 17.0.15: the lines at the end of this file.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"

cat >pom.xml <<'END'
<project>
 <modelVersion>4.0.0</modelVersion><groupId>finding</groupId><artifactId>finding</artifactId><version>1</version>
 <dependencies>
  <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-clients</artifactId><version>4.1.1</version></dependency>
  <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import java.util.*;
import java.util.concurrent.*;
import org.apache.kafka.clients.producer.*;
import org.apache.kafka.common.serialization.ByteArraySerializer;

public class Main {
  public static void main(String[] args) throws Exception {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:1");
    settings.put("max.block.ms", "1000");
    Thread caller = Thread.currentThread();
    try (KafkaProducer<byte[], byte[]> producer =
        new KafkaProducer<>(settings, new ByteArraySerializer(), new ByteArraySerializer())) {
      Future<RecordMetadata> future = producer.send(
          new ProducerRecord<>("topic", new byte[1]),
          (record, failure) -> System.out.println("callback on the caller's thread: "
              + (Thread.currentThread() == caller) + ", " + failure.getClass().getSimpleName()));
      System.out.println("send() returns, done: " + future.isDone());
      producer.flush();
      System.out.println("flush() returns");
      try {
        future.get();
      } catch (ExecutionException e) {
        System.out.println("future: " + e.getCause().getClass().getSimpleName());
      }
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
callback on the caller's thread: true, TimeoutException
send() returns, done: true
flush() returns
future: TimeoutException
END
