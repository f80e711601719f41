package dev.forebay.benchmarks.lab.child;

import dev.forebay.benchmarks.lab.JsonLines;

/**
 * The measured JVM. Tells its parent how far it is by lines that begin with {@code lab:}, and ends
 * with 0 when the measurement is in its file, whatever threads a logging system leaves behind.
 */
public final class Child {

  private static final String TO_HOST = "lab:";

  private Child() {}

  /** Measures what the arguments say: {@link Assignment#USAGE}. */
  public static void main(String[] arguments) {
    try {
      Assignment assignment = Assignment.of(arguments);
      Settings.set(assignment);
      Run run = new Run(assignment, Extent.of(assignment.scenario()), Child::tell);
      JsonLines.append(assignment.result(), run.measure());
      tell("done");
      System.exit(0);
    } catch (Throwable e) { // whatever a peer throws, the parent has to know
      e.printStackTrace();
      tell("failed " + String.valueOf(e).replaceAll("\\s+", " "));
      System.exit(1);
    }
  }

  private static void tell(String line) {
    System.out.println(TO_HOST + line);
    System.out.flush();
  }
}
