#!/usr/bin/env bash
# logger.atInfo().addKeyValue("key", null) throws a NullPointerException into the application in SLF4J 2.0.18, but only
# where the level is enabled.
#
# A guess would be a pair with the value null, as for a variable that is null. The literal chooses the overload with a
# Supplier, which is more special than Object and asked at once; at a level that is off nobody asks it.
# addArgument(null) does the same.
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
  <dependency><groupId>org.slf4j</groupId><artifactId>slf4j-api</artifactId><version>2.0.18</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >Main.java <<'END'
import ch.qos.logback.classic.*;
import org.slf4j.LoggerFactory;

public class Main {
  public static void main(String[] args) {
    ch.qos.logback.classic.Logger logger =
        (ch.qos.logback.classic.Logger) LoggerFactory.getLogger("a");
    logger.setAdditive(false);
    logger.setLevel(Level.INFO);
    Object nothing = null;
    run("variable", () -> logger.atInfo().addKeyValue("key", nothing).log("message"));
    run("literal, level off", () -> logger.atDebug().addKeyValue("key", null).log("message"));
    run("literal", () -> logger.atInfo().addKeyValue("key", null).log("message"));
    run("argument", () -> logger.atInfo().addArgument(null).log("message {}"));
  }

  static void run(String what, Runnable call) {
    try {
      call.run();
      System.out.println(what + ": returns");
    } catch (RuntimeException e) {
      System.out.println(what + ": throws " + e.getClass().getSimpleName());
    }
  }
}
END
java -cp 'lib/*' Main.java | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
variable: returns
literal, level off: returns
literal: throws NullPointerException
argument: throws NullPointerException
END
