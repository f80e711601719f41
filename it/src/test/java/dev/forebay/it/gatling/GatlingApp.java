package dev.forebay.it.gatling;

import dev.forebay.it.support.Places;
import java.time.Duration;
import java.util.Locale;

/** The applications, which answer the same requests with the same log calls. */
enum GatlingApp {
  BOOT {
    @Override
    GatlingTarget start(GatlingLogging logging, Places places, String... options) throws Exception {
      return GatlingBoot.start(logging, places, options);
    }
  },
  PLAY {
    @Override
    GatlingTarget start(GatlingLogging logging, Places places, String... options) throws Exception {
      return GatlingPlay.start(logging, places, options);
    }
  };

  /** Between two looks at what must no longer change. */
  static final Duration SETTLES = Duration.ofMillis(100);

  /** Starts it, with these options of its JVM, and waits until it serves requests. */
  abstract GatlingTarget start(GatlingLogging logging, Places places, String... options)
      throws Exception;

  /** As it is called on the command line and in tables. */
  @Override
  public String toString() {
    return name().toLowerCase(Locale.ROOT);
  }
}
