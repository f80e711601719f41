package dev.forebay.tiered.file;

import org.jspecify.annotations.Nullable;

/** The roller of a log that is never rolled. */
record NoRolling(String name) implements Roller {

  @Override
  public String activeName(@Nullable String fallback) {
    return name;
  }

  @Override
  public String makeDue(String activeName, long sizeBytes) {
    return "the log " + activeName + " has no <rollingPolicy>: configure one";
  }
}
