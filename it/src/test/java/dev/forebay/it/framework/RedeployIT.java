package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import javax.management.ObjectName;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What an application server does: a web application with a class loader of its own is started,
 * stopped and started again on the same log in one JVM, whose threads outlive it.
 */
@Tag("jdk-nightly")
class RedeployIT {

  private static final Duration FOR_GARBAGE = Duration.ofSeconds(30);

  private static String configuration(Places places) {
    return Xml.configuration(
        places.xml() + Xml.rollBySize(places.logDirectory(), "1KB") + Xml.MESSAGES);
  }

  @AutoClose private final Places places = Places.create();
  private Set<ObjectName> beansBefore;

  @BeforeEach
  void look() throws Exception {
    beansBefore = beans();
  }

  private static Set<ObjectName> beans() throws Exception {
    return ManagementFactory.getPlatformMBeanServer()
        .queryNames(new ObjectName("dev.forebay:*"), null);
  }

  private static Set<String> threads(WeakReference<ClassLoader> of) {
    ClassLoader loader = of.get();
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> loader != null && thread.getClass().getClassLoader() == loader)
        .map(Thread::getName)
        .collect(Collectors.toSet());
  }

  private static boolean isGone(WeakReference<ClassLoader> loader) {
    System.gc();
    return loader.get() == null;
  }

  private WeakReference<ClassLoader> liveOnce(String producer) throws Exception {
    Deployed deployed = new Deployed();
    WeakReference<ClassLoader> loader = deployed.loader();
    deployed.command("start", configuration(places));
    deployed.command("log", producer);
    assertThat(threads(loader)).isNotEmpty();
    Await.until("in JMX", () -> beans().size() > beansBefore.size());
    deployed.command("stop");
    assertThat(deployed.command("statuses")).isEmpty();
    Await.until("no thread is left", () -> threads(loader).isEmpty());
    return loader;
  }

  @Test
  void anApplicationThatStopsLogbackLeavesNothingInTheServer() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      loaders.add(liveOnce("life" + life));
      assertThat(beans()).isEqualTo(beansBefore);
      assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    }
    for (WeakReference<ClassLoader> loader : loaders) {
      assertThat(Await.within(FOR_GARBAGE, () -> isGone(loader))).as("collected").isTrue();
    }
    Oracle oracle = new Oracle();
    for (int life = 0; life < 3; life++) {
      oracle.producer("life" + life, WebApplication.MESSAGES, WebApplication.MESSAGES);
    }
    oracle.complete(0).requireSound(places.lines());
  }

  private boolean hasLines(int count) throws Exception {
    try {
      return places.lines().size() == count;
    } catch (NoSuchFileException e) {
      return false; // not made yet, or just being rolled
    }
  }

  /** Nobody can tell that such an application is gone: it keeps the log until the JVM ends. */
  @Test
  void anApplicationThatNobodyStopsKeepsTheLogAndCostsTheNextOneNothingElse() throws Exception {
    Deployed first = new Deployed();
    Deployed second = new Deployed();
    try {
      first.command("start", configuration(places));
      first.command("log", "first");
      Await.until("written", () -> hasLines(WebApplication.MESSAGES));
      second.command("start", configuration(places));
      second.command("log", "second");
      Await.until("told", () -> second.command("statuses").contains("spooling only"));
      assertThat(isGone(first.loader())).isFalse();
      Await.until("two spools", () -> SpoolPeek.spools(places.spool()).size() == 2);
      first.command("stop");
      Await.until("taken over", () -> hasLines(2 * WebApplication.MESSAGES));
    } finally {
      first.command("stop");
      second.command("stop");
    }
    assertThat(SpoolPeek.spools(places.spool())).isEmpty();
    new Oracle()
        .producer("first", WebApplication.MESSAGES, WebApplication.MESSAGES)
        .producer("second", WebApplication.MESSAGES, WebApplication.MESSAGES)
        .complete(0)
        .requireSound(places.lines());
  }

  /** One deployment. Nothing but this object and what the application itself left refers to it. */
  private static final class Deployed {

    private final Function<String, String> application;

    Deployed() throws Exception {
      String classPath = Program.classPath();
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
}
