#!/usr/bin/env bash
# GCToolKit 3.5.0 cannot read a rotated log of the JVM whose lines have the date: it throws. Where they have the uptime
# only, it finds the files whose names begin with the log's, also with a date in them, and orders them.
#
# A guess would be that it takes what the JVM writes, gc.log and gc.log.0 with the decorators of -Xlog. To order the
# files it parses the first date of each together with the brackets around it. With the uptime only, files whose last
# uptime is not before the first of the next file, as of a JVM before a restart, are left out without a word.
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
  <dependency><groupId>com.microsoft.gctoolkit</groupId><artifactId>gctoolkit-api</artifactId><version>3.5.0</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import com.microsoft.gctoolkit.io.*;
import java.nio.file.*;
import java.time.format.DateTimeParseException;
import java.util.stream.Collectors;

public class Main {
  public static void main(String[] logs) throws Exception {
    for (String log : logs) {
      try {
        System.out.println(log + ": "
            + new RotatingGCLogFile(Path.of(log)).getOrderedGarbageCollectionLogFiles().stream()
                .map(LogFileSegment::getSegmentName).collect(Collectors.joining(", ")));
      } catch (DateTimeParseException e) {
        System.out.println(log + ": DateTimeParseException");
      }
    }
  }
}
END

# A log of three files, of lines as those of -Xlog:gc*:file=gc.log:DECORATORS:filecount=3
set_of() { # directory, decorators by uptime, names of the two older files
  mkdir "$1"
  $2 1 >"$1/$3"
  $2 2 >"$1/$4"
  $2 3 >"$1/gc.log"
}
uptime() { printf '[%s.000s][info][gc] GC(1) Pause Full\n[%s.500s][info][gc] GC(2) Pause Full\n' "$1" "$1"; }
dated() { uptime "$1" | sed 's/^/[2026-11-28T12:00:00.000+0000]/'; }
restarted() { uptime $(($1 % 3 + 1)); } # the first two files are of the JVM before: 2, 3, 1
set_of dates dated gc.log.0 gc.log.1
set_of uptime uptime gc.log.0 gc.log.1
set_of dated-names uptime gc.log.2026-11-27.0 gc.log.2026-11-28.0
set_of other-names uptime gc.2026-11-27.0.log gc.2026-11-28.0.log
set_of restart restarted gc.log.0 gc.log.1
java -cp 'lib/*' Main.java {dates,uptime,dated-names,other-names,restart}/gc.log | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
dates/gc.log: DateTimeParseException
uptime/gc.log: gc.log.0, gc.log.1, gc.log
dated-names/gc.log: gc.log.2026-11-27.0, gc.log.2026-11-28.0, gc.log
other-names/gc.log: gc.log
restart/gc.log: gc.log
END
