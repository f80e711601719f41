package dev.forebay.it.agent;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import java.util.TimeZone;
import java.util.logging.LogManager;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerBuilder;
import javax.management.MBeanServerDelegate;
import javax.management.ObjectName;

/**
 * An application that the agent shares a JVM with. It chooses its own log manager and builder of
 * MBean servers, as application servers do, and its time zone, and knows its class path only by
 * names.
 */
final class Neighbour {

  /** The application's own. */
  public static final class Manager extends LogManager {}

  /** The application's own. */
  public static final class Builder extends MBeanServerBuilder {
    @Override
    public MBeanServer newMBeanServer(
        String domain, MBeanServer outer, MBeanServerDelegate delegate) {
      System.out.println("builder " + getClass().getSimpleName());
      return super.newMBeanServer(domain, outer, delegate);
    }
  }

  private static final String ZONE = "Pacific/Kiritimati";

  private static final String LOGGER_FACTORY = "org.slf4j.LoggerFactory";

  /** Classes and files of libraries in the agent's jar. */
  private static final List<String> CLASSES =
      List.of(
          "ch.qos.logback.classic.Logger",
          "ch.qos.logback.core.Context",
          LOGGER_FACTORY,
          "dev.forebay.shaded.jctools.queues.varhandle.MpscVarHandleArrayQueue",
          "dev.forebay.tiered.TieredAppender",
          "dev.forebay.NonBlockingAppender",
          "dev.forebay.javaagent.log.JvmLog");

  private static final List<String> SERVICES =
      List.of(
          "META-INF/services/org.slf4j.spi.SLF4JServiceProvider",
          "META-INF/services/ch.qos.logback.classic.spi.Configurator",
          "META-INF/services/jakarta.servlet.ServletContainerInitializer",
          "META-INF/INDEX.LIST",
          "META-INF/LICENSE.txt");

  private Neighbour() {}

  /**
   * Does what each line of its input says: {@code gc}, {@code allocate}, {@code look}, {@code
   * beans} or {@code zone}; ends with its input.
   */
  public static void main(String[] arguments) throws IOException, JMException {
    System.gc(); // what a log must not miss
    System.setProperty("java.util.logging.manager", Manager.class.getName());
    System.setProperty("javax.management.builder.initial", Builder.class.getName());
    System.setProperty("user.timezone", ZONE);
    System.out.println("manager " + LogManager.getLogManager().getClass().getSimpleName());
    BufferedReader input =
        new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    int collected = 0;
    for (String line = input.readLine(); line != null; line = input.readLine()) {
      switch (line) {
        case "look" -> look();
        case "allocate" -> allocate();
        case "beans" -> beans();
        case "zone" -> System.out.println("zone " + TimeZone.getDefault().getID());
        default -> {
          System.gc();
          System.out.println("collected " + ++collected + ".");
        }
      }
    }
    System.out.println("ended");
  }

  /** The first use of JMX. */
  private static void beans() throws JMException {
    ObjectName all = new ObjectName("dev.forebay:*");
    System.out.println("beans " + ManagementFactory.getPlatformMBeanServer().queryNames(all, null));
  }

  /** Garbage that a small heap holds a few times. */
  private static void allocate() {
    long bytes = 0;
    for (int i = 0; i < 10_000; i++) {
      bytes += new byte[32 << 10].length;
    }
    System.out.println("allocated " + bytes);
  }

  private static void look() throws IOException {
    if (isLoadable(LOGGER_FACTORY)) {
      System.out.println("logs through " + loggers());
    }
    for (String name : CLASSES) {
      System.out.println("class " + name + " " + (isLoadable(name) ? "found" : "hidden"));
      System.out.println(name + " files " + count(name.replace('.', '/') + ".class"));
    }
    for (String name : SERVICES) {
      System.out.println(name + " files " + count(name));
    }
    System.out.println("looked");
  }

  private static boolean isLoadable(String name) {
    try {
      Class.forName(name);
      return true;
    } catch (ClassNotFoundException e) {
      return false;
    }
  }

  /** Where the classes of its loggers come from. */
  private static String loggers() {
    try {
      Object factory = Class.forName(LOGGER_FACTORY).getMethod("getILoggerFactory").invoke(null);
      return String.valueOf(factory.getClass().getProtectionDomain().getCodeSource());
    } catch (ReflectiveOperationException e) {
      return e.toString();
    }
  }

  private static int count(String resource) throws IOException {
    return Collections.list(ClassLoader.getSystemResources(resource)).size();
  }
}
