#!/usr/bin/env bash
# Logback 1.5.38 prints "%n" as text where it follows a closing parenthesis of a group: %red(%msg)%n ends no line.
#
# A guess would be that a conversion word may follow a group as it may follow another word, as in %-5level%msg. After
# the parenthesis the next character is taken as text, also a percent sign: all events stand in one line, with %n
# between them. A space or an option, as in %replace(%msg){'a','b'}%n, between them is enough.
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
  <dependency><groupId>ch.qos.logback</groupId><artifactId>logback-classic</artifactId><version>1.5.38</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import ch.qos.logback.classic.encoder.PatternLayoutEncoder;
import ch.qos.logback.classic.spi.LoggingEvent;
import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) {
    LoggerContext context = (LoggerContext) LoggerFactory.getILoggerFactory();
    String[] patterns = {
      "%-5level%msg%n", "%-5(%level)%msg%n", "%-5(%level)%n", "%red(%msg)%n", "%red(%msg) %n", "%replace(%msg){'a','b'}%n"
    };
    for (String pattern : patterns) {
      PatternLayoutEncoder encoder = new PatternLayoutEncoder();
      encoder.setContext(context);
      encoder.setPattern(pattern);
      encoder.start();
      String line = new String(encoder.encode(
          new LoggingEvent("", context.getLogger("a"), Level.INFO, "hello", null, null)));
      System.out.println(pattern + " -> "
          + line.replace("\n", "<line end>").replaceAll("\033\\[[0-9;]*m", ""));
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
%-5level%msg%n -> INFO hello<line end>
%-5(%level)%msg%n -> INFO %msg<line end>
%-5(%level)%n -> INFO %n
%red(%msg)%n -> hello%n
%red(%msg) %n -> hello <line end>
%replace(%msg){'a','b'}%n -> hello<line end>
END
