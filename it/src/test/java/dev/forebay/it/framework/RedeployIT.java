package dev.forebay.it.framework;

import static org.assertj.core.api.Assertions.assertThat;

import dev.forebay.host.Await;
import dev.forebay.it.support.Oracle;
import dev.forebay.it.support.Places;
import dev.forebay.it.support.Program;
import dev.forebay.it.support.SpoolPeek;
import dev.forebay.it.support.Xml;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
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

  /** Those of earlier tests of this JVM may still be going. */
  private Set<ObjectName> ownBeans() throws Exception {
    Set<ObjectName> own = beans();
    own.removeAll(beansBefore);
    return own;
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

  private WeakReference<ClassLoader> liveOnce(String producer, boolean sleeps) throws Exception {
    Deployed deployed = new Deployed(Program.classPath());
    WeakReference<ClassLoader> loader = deployed.loader();
    deployed.command("start", configuration(places));
    deployed.command("log", producer);
    assertThat(threads(loader)).isNotEmpty();
    Await.until("in JMX", () -> !ownBeans().isEmpty());
    if (sleeps) {
      Await.until("all sleep", () -> threads(loader).equals(Set.of("forebay-idle")));
    }
    deployed.command("stop");
    assertThat(deployed.command("statuses")).isEmpty();
    Await.until("no thread is left", () -> threads(loader).isEmpty());
    return loader;
  }

  @Test
  void anApplicationThatStopsLogbackLeavesNothingInTheServer() throws Exception {
    List<WeakReference<ClassLoader>> loaders = new ArrayList<>();
    for (int life = 0; life < 3; life++) {
      loaders.add(liveOnce("life" + life, life == 1));
      assertThat(ownBeans()).isEmpty();
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
    Deployed first = new Deployed(Program.classPath());
    Deployed second = new Deployed(Program.classPath());
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
}
