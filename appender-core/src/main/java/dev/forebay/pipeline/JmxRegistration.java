package dev.forebay.pipeline;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.agent.Voice;
import java.lang.management.ManagementFactory;
import javax.management.InstanceAlreadyExistsException;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;

/**
 * The registration of one appender with the platform's MBean server, once the application or the
 * JVM has created that server: creating it takes a tenth of a second and two hundred classes, and
 * settles which log manager the process has. Used by the reporter, some time after the start.
 */
public final class JmxRegistration implements ControlEndpoint {

  /** Names tried when other appenders of the same name are registered. */
  private static final int MAX_NAMES = 100;

  private final LoggerContext context;
  private final String appender;
  private final Object bean;
  private final Voice voice;
  private boolean isOver;
  private @Nullable MBeanServer server;
  private @Nullable ObjectName registered;

  /**
   * @param bean implements one interface for JMX
   * @param voice receives what JMX throws; must not throw
   */
  public JmxRegistration(LoggerContext context, String appender, Object bean, Voice voice) {
    this.context = context;
    this.appender = appender;
    this.bean = bean;
    this.voice = voice;
  }

  /**
   * Registers the bean with the server that has the platform's beans; a taken name gets a number
   * appended. Does nothing while there is no server; tries once, or again if the heap was full.
   */
  @Override
  public void tend() {
    if (isOver) {
      return;
    }
    try {
      for (MBeanServer found : MBeanServerFactory.findMBeanServer(null)) {
        if (!isOver && found.isRegistered(new ObjectName(ManagementFactory.RUNTIME_MXBEAN_NAME))) {
          server = found;
          register(found);
          isOver = true;
        }
      }
    } catch (OutOfMemoryError e) { // tried again, unless the bean is there
      isOver = registered != null;
      throw e;
    } catch (JMException | RuntimeException | Error e) {
      isOver = true;
      voice.warn("The appender is not visible in JMX", e);
    }
  }

  private void register(MBeanServer with) throws JMException {
    String contextName = quoted(String.valueOf(context.getName()));
    String begin = "dev.forebay:type=Appender,context=" + contextName + ",name=";
    for (int number = 1; number <= MAX_NAMES && registered == null; number++) {
      String name = number == 1 ? appender : appender + "-" + number;
      ObjectName objectName = new ObjectName(begin + quoted(name));
      try {
        with.registerMBean(bean, objectName);
        registered = objectName;
      } catch (InstanceAlreadyExistsException e) {
        // The name is taken: the next number may be free.
      } catch (Throwable t) { // thrown by a listener for registrations
        registered = with.isRegistered(objectName) ? objectName : null;
        throw t;
      }
    }
  }

  @Override
  public void close() {
    isOver = true;
    ObjectName name = registered;
    MBeanServer from = server;
    registered = null;
    if (name == null || from == null) {
      return;
    }
    try {
      from.unregisterMBean(name);
    } catch (InstanceNotFoundException e) {
      // Other code removed it.
    } catch (JMException | RuntimeException e) {
      voice.warn("The appender could not be removed from JMX", e);
    }
  }

  private static String quoted(String value) {
    return value.matches("[A-Za-z0-9_.-]+") ? value : ObjectName.quote(value);
  }
}
