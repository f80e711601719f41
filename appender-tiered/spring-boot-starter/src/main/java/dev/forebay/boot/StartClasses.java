package dev.forebay.boot;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.springframework.core.NativeDetector;

/**
 * Loads the classes that the start of an appender needs, which takes long from Boot's jar of jars,
 * on a thread of its own while Boot sets up the console. It initializes none, so it cannot block a
 * thread that needs one.
 */
final class StartClasses extends Thread {

  /** A list of class names, one a line. */
  static final String LIST = "start.classes";

  private StartClasses() {
    super("forebay-classes");
    setDaemon(true);
  }

  /** Starts the thread, unless there is no second processor or no class. Any thread. */
  static void load() {
    if (Runtime.getRuntime().availableProcessors() > 1 && !NativeDetector.inNativeImage()) {
      new StartClasses().start();
    }
  }

  @Override
  public void run() {
    ClassLoader loader = StartClasses.class.getClassLoader();
    try (InputStream list = Objects.requireNonNull(StartClasses.class.getResourceAsStream(LIST))) {
      for (String name :
          new String(list.readAllBytes(), StandardCharsets.US_ASCII).split("\n", 0)) {
        Class<?> unused = Class.forName(name, false, loader);
      }
    } catch (IOException | ClassNotFoundException | LinkageError | RuntimeException e) {
      // The code that needs the class reports it.
    }
  }
}
