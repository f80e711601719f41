#!/usr/bin/env bash
# tinylog 2.7.0 with a size policy and a file name that has a date and no {count} empties its own file at each roll.
#
# A guess would be that it appends until the name changes, or adds a number. It opens the next file, whose name is the
# same, and truncates it: of 60 lines the last few are left, without an error.
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
  <dependency><groupId>org.tinylog</groupId><artifactId>tinylog-api</artifactId><version>2.7.0</version></dependency>
  <dependency><groupId>org.tinylog</groupId><artifactId>tinylog-impl</artifactId><version>2.7.0</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import java.nio.file.*;
import java.util.*;
import org.tinylog.Logger;
import org.tinylog.configuration.Configuration;
import org.tinylog.provider.ProviderRegistry;

public class Main {
  public static void main(String[] args) throws Exception {
    Configuration.set("writer", "rolling file");
    Configuration.set("writer.file", "app_{date:yyyy}.log");
    Configuration.set("writer.policies", "size: 1kb");
    Configuration.set("writer.format", "{message}");
    for (int i = 0; i < 60; i++) {
      Logger.info("line " + i + " " + "x".repeat(90));
    }
    ProviderRegistry.getLoggingProvider().shutdown();
    try (DirectoryStream<Path> logs = Files.newDirectoryStream(Path.of("."), "*.log")) {
      for (Path log : logs) {
        List<String> lines = Files.readAllLines(log);
        System.out.println("one file, " + lines.size() + " of 60 lines, the first is "
            + lines.get(0).substring(0, 7));
      }
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
one file, 6 of 60 lines, the first is line 54
END
