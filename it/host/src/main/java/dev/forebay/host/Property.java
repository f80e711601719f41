package dev.forebay.host;

import java.lang.reflect.Method;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;

/** A property of a bean of ours: the element that its setter is in XML. */
public record Property(String name, Method setter) {

  /** Those of a class, inherited ones too; without those of a library's class. */
  public static List<Property> of(Class<?> bean) {
    return Stream.of(bean.getMethods())
        .filter(method -> method.getDeclaringClass().getName().startsWith("dev.forebay."))
        .filter(method -> method.getName().matches("(set|add)[A-Z].*"))
        .filter(method -> method.getParameterCount() == 1 && !method.isBridge())
        .map(method -> new Property(element(method.getName()), method))
        .toList();
  }

  private static String element(String setter) {
    return setter.substring(3, 4).toLowerCase(Locale.ROOT) + setter.substring(4);
  }

  /** One of a class, also if a library's class declares it. */
  public static Property named(String name, Class<?> bean) {
    return Stream.of(bean.getMethods())
        .filter(method -> method.getName().equalsIgnoreCase("set" + name))
        .map(method -> new Property(name, method))
        .findFirst()
        .orElseThrow(() -> new AssertionError("no element " + name));
  }

  public Class<?> type() {
    return setter.getParameterTypes()[0];
  }

  /** Values to set, at least one of which is not the default; a size ends with MB. */
  public List<String> examples() {
    if (type() == boolean.class) {
      return List.of("true", "false");
    }
    return List.of(type() == int.class ? "17" : type() == String.class ? "17 s" : "17MB");
  }

  /** Sets it as Logback does from XML. */
  public void set(Object bean, String text) throws ReflectiveOperationException {
    Object value = text;
    if (type() == int.class) {
      value = Integer.valueOf(text);
    } else if (type() == boolean.class) {
      value = Boolean.valueOf(text);
    } else if (type() != String.class) {
      value = type().getMethod("valueOf", String.class).invoke(null, text);
    }
    setter.invoke(bean, value);
  }

  @Override
  public String toString() {
    return name;
  }
}
