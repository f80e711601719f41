package dev.forebay.it.support;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.forebay.host.Command;

/** Skips a test where this machine cannot do what it needs. */
public final class Needs {

  private Needs() {}

  /** Skips the test unless this user is root. */
  public static void root(String why) {
    assumeTrue(Command.isRoot(), "root is needed: run the build as root (" + why + ")");
  }
}
