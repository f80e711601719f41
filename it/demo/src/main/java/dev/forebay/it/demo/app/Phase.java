package dev.forebay.it.demo.app;

/** The parts of a run that are measured apart. */
public enum Phase {
  /** The virtual machines still compile; counted but not reported. */
  WARM_UP("warm-up"),
  /** The disk answers. */
  BEFORE("before"),
  /** The disk does not answer. */
  DURING("during"),
  /** The disk answers again. */
  AFTER("after");

  private final String title;

  Phase(String title) {
    this.title = title;
  }

  /** How reports spell the phase. */
  public String title() {
    return title;
  }
}
