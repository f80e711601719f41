package dev.forebay.boot;

import ch.qos.logback.classic.LoggerContext;
import dev.forebay.micrometer.ForebayMetrics;
import dev.forebay.tiered.TieredAppender;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import org.slf4j.LoggerFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.PropertySource;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Meters, endpoint and health, each where the application has what it needs. Health has another
 * package in Spring Boot 4: of the two configurations for it one fits.
 */
@AutoConfiguration
@ConditionalOnClass({LoggerContext.class, TieredAppender.class})
@Conditional(ForebayAutoConfiguration.OnLogback.class)
class ForebayAutoConfiguration {

  private static LoggerContext logback() {
    return (LoggerContext) LoggerFactory.getILoggerFactory();
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(MeterBinder.class)
  static class Meters {

    @Bean
    @ConditionalOnMissingBean
    ForebayMetrics forebayMetrics() {
      return new ForebayMetrics(logback(), List.of());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
  @ConditionalOnAvailableEndpoint(endpoint = ForebayEndpoint.class)
  static class OfEndpoint {

    @Bean
    @ConditionalOnMissingBean
    ForebayEndpoint forebayEndpoint() {
      return new ForebayEndpoint(logback());
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.actuate.health.HealthIndicator")
  @Conditional(OnHealth.class)
  @PropertySource("classpath:dev/forebay/boot/health-group.properties")
  static class OfHealth3 {

    @Bean
    @ConditionalOnMissingBean(name = "forebayHealthIndicator")
    HealthIndicator forebayHealthIndicator() {
      LogHealth log = new LogHealth(logback(), InstantSource.system());
      return () -> {
        Map<String, Map<String, Object>> details = log.details();
        return Health.status(LogHealth.status(details)).withDetails(details).build();
      };
    }
  }

  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass(name = "org.springframework.boot.health.contributor.HealthIndicator")
  @ConditionalOnMissingClass("org.springframework.boot.actuate.health.HealthIndicator")
  @Conditional(OnHealth.class)
  @PropertySource("classpath:dev/forebay/boot/health-group.properties")
  static class OfHealth4 {

    @Bean
    @ConditionalOnMissingBean(name = "forebayHealthIndicator")
    org.springframework.boot.health.contributor.HealthIndicator forebayHealthIndicator() {
      LogHealth log = new LogHealth(logback(), InstantSource.system());
      return () -> {
        Map<String, Map<String, Object>> details = log.details();
        return org.springframework.boot.health.contributor.Health.status(LogHealth.status(details))
            .withDetails(details)
            .build();
      };
    }
  }

  /** Another logger binding may be used although Logback is on the class path. */
  static final class OnLogback implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata of) {
      String bound = LoggerFactory.getILoggerFactory().getClass().getName();
      return bound.equals("ch.qos.logback.classic.LoggerContext"); // which may be missing
    }
  }

  /** The properties that switch any health of Boot; its annotation for them has moved, too. */
  static final class OnHealth implements Condition {

    @Override
    public boolean matches(ConditionContext context, AnnotatedTypeMetadata of) {
      Environment properties = context.getEnvironment();
      boolean byDefault =
          properties.getProperty("management.health.defaults.enabled", Boolean.class, true);
      return properties.getProperty("management.health.forebay.enabled", Boolean.class, byDefault);
    }
  }
}
