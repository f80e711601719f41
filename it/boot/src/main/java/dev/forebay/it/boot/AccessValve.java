package dev.forebay.it.boot;

import ch.qos.logback.access.tomcat.LogbackValve;
import org.apache.catalina.Valve;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.stereotype.Component;

/**
 * Gives Tomcat Logback's valve, whose {@code logback-access.xml} is on the class path. By
 * reflection, since the factory has another package in each line of Boot.
 */
@Component
@ConditionalOnProperty("it.access")
final class AccessValve implements BeanPostProcessor {

  @Override
  public Object postProcessBeforeInitialization(Object bean, String name) {
    if (bean.getClass().getSimpleName().equals("TomcatServletWebServerFactory")) {
      LogbackValve valve = new LogbackValve();
      valve.setFilename("logback-access.xml");
      valve.setAsyncSupported(true);
      try {
        bean.getClass()
            .getMethod("addEngineValves", Valve[].class)
            .invoke(bean, (Object) new Valve[] {valve});
      } catch (ReflectiveOperationException e) {
        throw new IllegalStateException(e);
      }
    }
    return bean;
  }
}
