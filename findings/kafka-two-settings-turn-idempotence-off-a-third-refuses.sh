#!/usr/bin/env bash
# Three settings of kafka-clients 4.1.1 contradict the producer's default of idempotence. Two turn it off without an
# error, the third refuses the producer; in 3.9.2 it only turned it off.
#
# A guess would be one rule for all: either the default gives way, or the setting is refused. retries=0 and acks=1 give
# way; with max.in.flight.requests.per.connection=6 a program that ran with 3.9 does not start, though it never asked
# for idempotence.
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
  <dependency><groupId>org.apache.kafka</groupId><artifactId>kafka-clients</artifactId><version>${kafka}</version></dependency>
  <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-nop</artifactId><version>1.7.36</version></dependency>
 </dependencies>
</project>
END
for version in 3.9.2 4.1.1; do
  mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies \
    -Dkafka=$version -DoutputDirectory=$version
done

cat >Main.java <<'END'
import java.util.*;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.apache.kafka.common.utils.AppInfoParser;

public class Main {
  public static void main(String[] args) {
    System.out.println(AppInfoParser.getVersion());
    show("retries", "0");
    show("acks", "1");
    show("max.in.flight.requests.per.connection", "6");
  }

  static void show(String setting, String value) {
    Map<String, Object> settings = new HashMap<>();
    settings.put("bootstrap.servers", "127.0.0.1:1");
    settings.put("key.serializer", ByteArraySerializer.class);
    settings.put("value.serializer", ByteArraySerializer.class);
    settings.put(setting, value);
    try {
      boolean idempotent = new ProducerConfig(settings).getBoolean("enable.idempotence");
      System.out.println("  " + setting + "=" + value + ": idempotence " + (idempotent ? "on" : "off"));
    } catch (ConfigException e) {
      System.out.println("  " + setting + "=" + value + ": refused");
    }
  }
}
END
for version in 3.9.2 4.1.1; do java -cp "$version/*" Main.java; done | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
3.9.2
  retries=0: idempotence off
  acks=1: idempotence off
  max.in.flight.requests.per.connection=6: idempotence off
4.1.1
  retries=0: idempotence off
  acks=1: idempotence off
  max.in.flight.requests.per.connection=6: refused
END
