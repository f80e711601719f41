#!/usr/bin/env bash
# JBoss LogManager 3.1.2: maxBackupIndex of a SizeRotatingFileHandler with a suffix is a limit for each period, not for
# the files: the files of all days before stay for ever.
#
# A guess would be that two backups are two files. The suffix becomes part of the name whose numbers are turned over, so
# whatever bears an earlier date is never looked at again. The suffix here is of seconds, for a quick run.
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
  <dependency><groupId>org.jboss.logmanager</groupId><artifactId>jboss-logmanager</artifactId><version>3.1.2.Final</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import java.io.File;
import org.jboss.logmanager.ExtLogRecord;
import org.jboss.logmanager.Level;
import org.jboss.logmanager.formatters.PatternFormatter;
import org.jboss.logmanager.handlers.SizeRotatingFileHandler;

public class Main {
  public static void main(String[] args) throws Exception {
    for (String suffix : new String[] {null, ".yyyy-MM-dd-HH-mm-ss"}) {
      File directory = new File("suffix" + suffix);
      directory.mkdir();
      SizeRotatingFileHandler handler = new SizeRotatingFileHandler(new File(directory, "app.log"));
      handler.setFormatter(new PatternFormatter("%m%n"));
      handler.setSuffix(suffix);
      handler.setRotateSize(200);
      handler.setMaxBackupIndex(2);
      for (int period = 0; period < 3; period++) {
        Thread.sleep(1100 - System.currentTimeMillis() % 1000); // early in a second
        for (int i = 0; i < 20; i++) {
          handler.publish(new ExtLogRecord(Level.INFO, "x".repeat(99), "a"));
        }
      }
      handler.close();
      System.out.println("suffix " + suffix + ", maxBackupIndex 2, after three periods: "
          + (directory.list().length - 1) + " backups");
    }
  }
}
END
java -Djava.util.logging.manager=org.jboss.logmanager.LogManager -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
suffix null, maxBackupIndex 2, after three periods: 2 backups
suffix .yyyy-MM-dd-HH-mm-ss, maxBackupIndex 2, after three periods: 6 backups
END
