package dev.forebay.tiered.spool;

final class FrameFormat {
  static final int LEVELS = 5;

  private FrameFormat() {}
}
