package dev.forebay.pipeline;

import java.lang.reflect.Method;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;

/** An MXBean with the names of its operations' parameters, which the JDK calls p0, p1 and so on. */
public final class NamedBean extends StandardMBean {

  public <T> NamedBean(T bean, Class<T> shown) {
    super(bean, shown, true);
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    for (Method method : getMBeanInterface().getMethods()) {
      if (method.getName().equals(operation.getName())
          && method.getParameterCount() == operation.getSignature().length) {
        return method.getParameters()[sequence].getName();
      }
    }
    return super.getParameterName(operation, parameter, sequence);
  }
}
