package consumer;

import ch.qos.logback.classic.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootVersion;
import org.springframework.boot.autoconfigure.SpringBootApplication;

/** Logs one line, to the file that logging.file.name names. */
@SpringBootApplication
class Boot {

  public static void main(String[] arguments) {
    try (var context = SpringApplication.run(Boot.class, arguments)) {
      System.gc(); // for the log of the JVM
      Logger root = (Logger) LoggerFactory.getLogger(Logger.ROOT_LOGGER_NAME);
      String appender = root.getAppender("FILE").getClass().getName();
      root.info("a line of Boot {} through {}", SpringBootVersion.getVersion(), appender);
    }
  }
}
