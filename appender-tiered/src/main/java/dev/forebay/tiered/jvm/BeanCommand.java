package dev.forebay.tiered.jvm;

import java.lang.management.ManagementFactory;
import javax.management.InstanceNotFoundException;
import javax.management.JMException;
import javax.management.ObjectName;

/** The diagnostic command as an operation of the platform's MBean server. */
final class BeanCommand implements VmLog.Command {

  @Override
  public String invoke(String... arguments) throws VmLogException {
    try {
      Object answer =
          ManagementFactory.getPlatformMBeanServer()
              .invoke(
                  new ObjectName("com.sun.management:type=DiagnosticCommand"),
                  "vmLog",
                  new Object[] {arguments},
                  new String[] {String[].class.getName()});
      return String.valueOf(answer).trim();
    } catch (InstanceNotFoundException e) {
      throw new VmLogException("this JVM has no diagnostic commands", e);
    } catch (JMException | RuntimeException | LinkageError e) { // OpenJ9 has no such operation
      throw new VmLogException("this JVM has no diagnostic command VM.log: " + e.getMessage(), e);
    }
  }
}
