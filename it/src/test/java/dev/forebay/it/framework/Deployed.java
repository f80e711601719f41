package dev.forebay.it.framework;

import java.io.File;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * One deployment of a {@link WebApplication}. Nothing but this object and what the application
 * itself left refers to it.
 */
final class Deployed {

  private final Function<String, String> application;

  Deployed(String classPath) throws Exception {
    List<URL> urls = new ArrayList<>();
    for (String path : classPath.split(File.pathSeparator, -1)) {
      urls.add(Path.of(path).toUri().toURL());
    }
    ClassLoader loader =
        new URLClassLoader(urls.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
    @SuppressWarnings("unchecked") // it is its class that says so
    Function<String, String> made =
        (Function<String, String>)
            Class.forName(WebApplication.class.getName(), true, loader)
                .asSubclass(Function.class)
                .getDeclaredConstructor()
                .newInstance();
    application = made;
  }

  /** As a container does, with the application's class loader as that of the thread. */
  String command(String... words) {
    Thread thread = Thread.currentThread();
    ClassLoader before = thread.getContextClassLoader();
    thread.setContextClassLoader(application.getClass().getClassLoader());
    try {
      return application.apply(String.join(" ", words));
    } finally {
      thread.setContextClassLoader(before);
    }
  }

  WeakReference<ClassLoader> loader() {
    return new WeakReference<>(application.getClass().getClassLoader());
  }
}
