package dev.forebay.benchmarks.lab.jvm;

/** The shortest program. */
public final class HelloWorld {

  private HelloWorld() {}

  /** Takes no arguments. */
  public static void main(String[] args) {
    System.out.println("Hello World");
  }
}
