package dev.forebay.host;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.ObjectName;

/** Steers this JVM's log as others may, too. */
public final class VmLogCommand {

  private VmLogCommand() {}

  /** What {@code jcmd VM.log} does, and prints. */
  public static String run(String... arguments) {
    try {
      return (String)
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmLog",
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
    } catch (JMException e) {
      throw new AssertionError(e);
    }
  }
}
