#!/usr/bin/env bash
# Under Tomcat, logback-access 2.0.12 writes "-" as the length of each response whose length the application has not set
# itself, and the months of "common" in the default locale of the JVM.
#
# A guess would be the Common Log Format: English months, and the bytes sent, as Apache's %b and Tomcat's own valve have
# them. But %b is the length that the response has when the valve is reached again, before Tomcat sets the header
# Content-Length of a short one; and %t is formatted with the default locale unless its third option names one.
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
  <dependency><groupId>ch.qos.logback.access</groupId><artifactId>logback-access-tomcat</artifactId><version>2.0.12</version></dependency>
  <dependency><groupId>org.apache.tomcat.embed</groupId><artifactId>tomcat-embed-core</artifactId><version>10.1.55</version></dependency>
 </dependencies>
</project>
END
mvn -q -B -Dstyle.color=never org.apache.maven.plugins:maven-dependency-plugin:3.9.0:copy-dependencies -DoutputDirectory=lib

cat >logback-access.xml <<'END'
<configuration>
 <appender name="A" class="ch.qos.logback.core.ConsoleAppender">
  <encoder><pattern>%U %b, default: %t{MMM, UTC}, en: %t{MMM, UTC, en}%n</pattern></encoder>
 </appender>
 <appender-ref ref="A"/>
</configuration>
END

cat >Main.java <<'END'
import ch.qos.logback.access.tomcat.LogbackValve;
import jakarta.servlet.http.*;
import java.io.IOException;
import java.net.InetAddress;
import java.net.URL;
import org.apache.catalina.startup.Tomcat;

public class Main {
  public static void main(String[] args) throws Exception {
    java.util.logging.LogManager.getLogManager().reset();
    Tomcat tomcat = new Tomcat();
    tomcat.setBaseDir(".");
    tomcat.setPort(0);
    LogbackValve valve = new LogbackValve();
    valve.setFilename(args[0]);
    valve.setQuiet(true);
    tomcat.getEngine().getPipeline().addValve(valve);
    var context = tomcat.addContext("", null);
    Tomcat.addServlet(context, "S", new HttpServlet() {
      @Override
      protected void doGet(HttpServletRequest request, HttpServletResponse response) throws IOException {
        if (request.getRequestURI().equals("/set")) {
          response.setContentLength(5);
        }
        response.getOutputStream().print("12345");
      }
    });
    context.addServletMappingDecoded("/*", "S");
    int port = start(tomcat);
    for (String path : new String[] {"/set", "/unset"}) {
      var connection = new URL("http", InetAddress.getLoopbackAddress().getHostAddress(), port, path).openConnection();
      connection.getInputStream().readAllBytes();
      System.out.println("sent with Content-Length " + connection.getHeaderField("Content-Length"));
    }
    tomcat.stop();
  }

  private static int start(Tomcat tomcat) throws Exception {
    var connector = tomcat.getConnector();
    tomcat.start();
    return connector.getLocalPort();
  }
}
END
java -Duser.language=fr -cp 'lib/*' Main.java logback-access.xml >out
month=$(LC_ALL=C date -u +%b)
grep '^[/s]' out | sort \
  | sed "s/: $month/: English/g; s/default: [^E,]*,/default: not English,/" | tee seen

diff - seen <<'END' || { echo "The behaviour has changed." >&2; exit 1; }
/set 5, default: not English, en: English
/unset -, default: not English, en: English
sent with Content-Length 5
sent with Content-Length 5
END
