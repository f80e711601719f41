package dev.forebay.observe;

import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.StandardMBean;
import org.jspecify.annotations.Nullable;

/** A bean with descriptions from the {@link Description}s of its interface. */
final class DescribedBean extends StandardMBean {

  DescribedBean(AppenderMXBean bean) {
    this(bean, interfaceOf(bean.getClass()));
  }

  private <T extends AppenderMXBean> DescribedBean(AppenderMXBean bean, Class<T> type) {
    super(type.cast(bean), type, true);
  }

  /** The most specific one. */
  private static Class<? extends AppenderMXBean> interfaceOf(@Nullable Class<?> type) {
    if (type == null) {
      return AppenderMXBean.class;
    }
    return Arrays.stream(type.getInterfaces())
        .filter(AppenderMXBean.class::isAssignableFrom)
        .findFirst()
        .<Class<? extends AppenderMXBean>>map(found -> found.asSubclass(AppenderMXBean.class))
        .orElseGet(() -> interfaceOf(type.getSuperclass()));
  }

  @Override
  protected String getDescription(MBeanInfo info) {
    return textOf(AppenderMXBean.class, info.getDescription());
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
