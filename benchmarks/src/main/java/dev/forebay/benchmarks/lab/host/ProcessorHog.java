package dev.forebay.benchmarks.lab.host;

import java.io.IOException;

/** A process that computes on one thread, without a pause, until its input ends. */
public final class ProcessorHog {

  private ProcessorHog() {}

  /** Takes no arguments. */
  public static void main(String[] args) throws IOException {
    Thread hog = new Thread(ProcessorHog::computeForever, "hog");
    hog.setDaemon(true);
    hog.start();
    while (System.in.read() >= 0) {
      // The lab says nothing; its end is the end of the input.
    }
  }

  private static void computeForever() {
    while (true) {
      Thread.onSpinWait();
    }
  }
}
