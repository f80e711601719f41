package dev.forebay.it.boot;

import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.InitializingBean;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.annotation.Bean;
import org.springframework.context.event.EventListener;

/** The application. Says "ready" and its port on the standard output when it serves requests. */
@SpringBootApplication(proxyBeanMethods = false)
public class BootApp {

  /** For Spring. */
  public BootApp() {}

  /** Runs until the process is told to end. */
  public static void main(String[] args) {
    ManagementFactory.getPlatformMBeanServer(); // with it, an appender that has started is in JMX
    SpringApplication.run(BootApp.class, args);
  }

  /** Logs what it is told to, and keeps the application from starting. */
  @Bean
  @ConditionalOnProperty("it.fail")
  InitializingBean failure(@Value("${it.fail}") Path lines) {
    return () -> {
      Files.readAllLines(lines).forEach(LoggerFactory.getLogger("it")::info);
      throw new IllegalStateException("told to fail");
    };
  }

  /** Tells who started this process where to find it. */
  @EventListener
  public void tellPort(ApplicationReadyEvent ready) {
    String port =
        ready.getApplicationContext().getEnvironment().getRequiredProperty("local.server.port");
    System.out.println("ready " + port);
  }
}
