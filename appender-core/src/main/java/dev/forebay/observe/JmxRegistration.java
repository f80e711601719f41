package dev.forebay.observe;

import java.lang.management.ManagementFactory;
import java.util.function.BiConsumer;
import java.util.function.BooleanSupplier;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The registration of one appender with the platform MBean server. Used by the reporter's thread,
 * so that loading the management classes delays neither start nor a log call.
 */
public final class JmxRegistration {

  /** Names tried when other appenders of the same name are registered. */
  private static final int MAX_NAMES = 100;

  private final String type;
  private final String context;
  private final String appender;
  private final BooleanSupplier isAllowed;
  private final BiConsumer<String, @Nullable Throwable> problems;
  private boolean isOver;
  private @Nullable ObjectName registered;

  /**
   * @param type of the bean: Appender or Control
   * @param context name of the logger context
   * @param appender name of the appender
   * @param isAllowed whether it may be registered yet, which creates the MBean server if need be
   * @param problems receives what JMX throws; must not throw
   */
  public JmxRegistration(
      String type,
      String context,
      String appender,
      BooleanSupplier isAllowed,
      BiConsumer<String, @Nullable Throwable> problems) {
    this.type = type;
    this.context = context;
    this.appender = appender;
    this.isAllowed = isAllowed;
    this.problems = problems;
  }

  /**
   * Whether this JVM has an MBean server. If not, {@link #open} creates it, which takes a tenth of
   * a second.
   */
  public static boolean isInUse() {
    try {
      return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    } catch (RuntimeException | LinkageError e) { // as in open
      return false;
    }
  }

  /** Whether {@link #open} has something to do. */
  public boolean isDue() {
    return !isOver && isAllowed.getAsBoolean();
  }

  /**
   * Registers a bean, which implements one interface for JMX; a taken name gets a number appended.
   * Does nothing before that is allowed, and nothing again.
   */
  public void open(Object bean) {
    if (!isDue()) {
      return;
    }
    isOver = true;
    try {
      MBeanServer server = ManagementFactory.getPlatformMBeanServer();
      for (int number = 1; number <= MAX_NAMES && registered == null; number++) {
        registered = tryRegister(server, bean, number == 1 ? appender : appender + "-" + number);
      }
    } catch (JMException | RuntimeException | LinkageError e) { // a runtime without java.management
      problems.accept("The appender is not visible in JMX", e);
    }
  }

  private @Nullable ObjectName tryRegister(MBeanServer server, Object bean, String name)
      throws JMException {
    ObjectName objectName =
        new ObjectName(
            "dev.forebay:type=" + type + ",context=" + quoted(context) + ",name=" + quoted(name));
    try {
      server.registerMBean(new DescribedBean(bean), objectName);
      return objectName;
    } catch (InstanceAlreadyExistsException e) {
      return null;
    } catch (Throwable t) { // thrown by a listener for registrations
      registered = server.isRegistered(objectName) ? objectName : null;
      throw t;
    }
  }

  /** Removes the bean if it is registered; it is not registered again. */
  public void close() {
    isOver = true;
    ObjectName name = registered;
    registered = null;
    if (name == null) {
      return;
    }
    try {
      ManagementFactory.getPlatformMBeanServer().unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // Other code removed it.
    } catch (JMException | RuntimeException e) {
      problems.accept("The appender could not be removed from JMX", e);
    }
  }

  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9_.-]+") ? value : ObjectName.quote(value);
  }
}
