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

/** A bean with descriptions from the {@link Description}s of its interface. */
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
    String prefix = info.isIs() ? "is" : "get";
    return methods(prefix + info.getName())
        .findFirst()
        .map(method -> textOf(method, info.getDescription()))
        .orElse(info.getDescription());
  }

  @Override
  protected String getDescription(MBeanOperationInfo info) {
    return methods(info.getName())
        .findFirst()
        .map(method -> textOf(method, info.getDescription()))
        .orElse(info.getDescription());
  }

  @Override
  protected String getDescription(
      MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
    return methods(operation.getName())
        .findFirst()
        .map(method -> textOf(method.getParameters()[sequence], parameter.getDescription()))
        .orElse(parameter.getDescription());
  }

  private Stream<Method> methods(String name) {
    return Arrays.stream(getMBeanInterface().getMethods())
        .filter(method -> method.getName().equals(name));
  }

  private static String textOf(AnnotatedElement element, String otherwise) {
    Description description = element.getAnnotation(Description.class);
    return description == null ? otherwise : description.value();
  }
}
