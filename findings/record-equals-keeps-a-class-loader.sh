#!/usr/bin/env bash
# One call of a record's own equals keeps the class loader of an undeployed application.
#
# A guess would be that equals of a record costs what a written one does. java.lang.runtime.ObjectMethods makes each from
# one static method handle, adapted to the type of each component, and a method handle keeps its last adaptation. If the
# class loader of the application has loaded that type, a server keeps all of its classes: on JDK 17 until a record with
# a component of another type is compared, on JDK 25 by a soft reference, until memory is short. hashCode and toString
# are made likewise. It needs a component of the application's own type; numbers, strings and lists keep nothing.
#
# Seen on 2026-11-29 with OpenJDK 17.0.15 and Temurin 25.0.3: the lines at the end of this file. A heap dump has the path
# ObjectMethods.OBJECTS_EQUALS, DirectMethodHandle.asTypeCache, MethodType.ptypes, Class, class loader.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
mkdir application server
cat > Point.java <<'JAVA'
public record Point(Part part) implements Runnable {
  public record Part(int x) {}
  public Point() { this(new Part(1)); }
  public void run() {
    boolean isSame = "equals".equals(System.getProperty("call"))
        ? equals(new Point()) : part.x() == new Point().part().x();
    if (!isSame) throw new AssertionError();
  }
}
JAVA
cat > Server.java <<'JAVA'
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;

public class Server {
  record Other(StringBuilder text) {}

  static WeakReference<ClassLoader> deploy() throws Exception {
    URL[] urls = {Path.of("application").toUri().toURL()};
    try (URLClassLoader loader = new URLClassLoader(urls, null)) {
      ((Runnable) loader.loadClass("Point").getConstructor().newInstance()).run();
      return new WeakReference<>(loader);
    }
  }

  static String state(WeakReference<ClassLoader> loader) throws Exception {
    for (int i = 0; i < 20 && loader.get() != null; i++) {
      System.gc();
      Thread.sleep(50);
    }
    return loader.get() == null ? "collected" : "kept";
  }

  public static void main(String[] args) throws Exception {
    WeakReference<ClassLoader> loader = deploy();
    String before = state(loader);
    new Other(new StringBuilder()).equals(new Other(new StringBuilder()));
    System.out.println(before + ", after another record's equals " + state(loader));
  }
}
JAVA
java=${JAVA_HOME:+$JAVA_HOME/bin/}java
"${java}c" -d application Point.java
"${java}c" -d server Server.java
version=$("$java" -version 2>&1 | sed -n '1s/[^"]*"\([0-9]*\).*/\1/p')
serve() { "$java" "$@" -cp server Server; }
{
  echo "by hand: $(serve -Dcall=byHand)"
  echo "by equals: $(serve -Dcall=equals)"
  echo "by equals, soft references cleared: $(serve -Dcall=equals -XX:SoftRefLRUPolicyMSPerMB=0)"
} | tee seen
case $version in
  17) diff seen - <<'END'
by hand: collected, after another record's equals collected
by equals: kept, after another record's equals collected
by equals, soft references cleared: kept, after another record's equals collected
END
    ;;
  25) diff seen - <<'END'
by hand: collected, after another record's equals collected
by equals: kept, after another record's equals kept
by equals, soft references cleared: collected, after another record's equals collected
END
    ;;
  *) echo "seen with JDK 17 and 25 only, not with $version" >&2; exit 1 ;;
esac
