package dev.forebay.observe;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Objects;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/** A bean with the {@link Description}s and the names of parameters of its interface. */
final class DescribedBean extends StandardMBean {

  DescribedBean(Object bean) {
    this(bean, interfaceOf(bean.getClass()));
  }

  private <T> DescribedBean(Object bean, Class<T> type) {
    super(type.cast(bean), type, true);
  }

  /** The most specific one. */
  private static Class<?> interfaceOf(@Nullable Class<?> type) {
    if (type == null) {
      throw new IllegalArgumentException("a bean without an interface for JMX");
    }
    return Arrays.stream(type.getInterfaces())
        .filter(found -> found.getSimpleName().endsWith("MXBean"))
        .findFirst()
        .<Class<?>>map(found -> found)
        .orElseGet(() -> interfaceOf(type.getSuperclass()));
  }

  @Override
  protected String getDescription(MBeanInfo info) {
    return Stream.of(getMBeanInterface(), AppenderMXBean.class)
        .map(type -> type.getAnnotation(Description.class))
        .filter(Objects::nonNull)
        .map(Description::value)
        .findFirst()
        .orElse(info.getDescription());
  }

  @Override
  protected String getDescription(MBeanAttributeInfo info) {
    return textOf(method((info.isIs() ? "is" : "get") + info.getName()));
  }

  @Override
  protected String getDescription(MBeanOperationInfo info) {
    return textOf(method(info.getName()));
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return textOf(method(operation.getName()).getParameters()[sequence]);
  }

  @Override
  protected String getParameterName(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return method(operation.getName()).getParameters()[sequence].getName();
  }

  private Method method(String name) {
    return Arrays.stream(getMBeanInterface().getMethods())
        .filter(method -> method.getName().equals(name))
        .findFirst()
        .orElseThrow();
  }

  private static String textOf(AnnotatedElement element) {
    Description description = element.getAnnotation(Description.class);
    return description == null ? "" : description.value();
  }
}
