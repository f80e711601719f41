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

  /** How reports and commands spell the phase. */
  public String title() {
    return title;
  }

  /** The phase of a {@link #title}. */
  public static Phase titled(String title) {
    for (Phase phase : values()) {
      if (phase.title.equals(title)) {
        return phase;
      }
    }
    throw new IllegalArgumentException("No phase is called \"" + title + "\"");
  }
}
