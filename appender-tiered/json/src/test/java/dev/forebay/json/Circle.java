package dev.forebay.json;

import java.io.Serial;
import java.util.Collections;
import java.util.Iterator;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.slf4j.Marker;

/** Refers to itself, any number of times; without a name if that is null. */
final class Circle implements Marker {

  @Serial private static final long serialVersionUID = 1;

  private final @Nullable String name;
  private final int times;

  Circle(@Nullable String name, int times) {
    this.name = name;
    this.times = times;
  }

  @Override
  public String getName() {
    return Objects.requireNonNull(name);
  }

  @Override
  public void add(Marker reference) {}

  @Override
  public boolean remove(Marker reference) {
    return false;
  }

  @Override
  @Deprecated
  @SuppressWarnings("InlineMeSuggester")
  public boolean hasChildren() {
    return true;
  }

  @Override
  public boolean hasReferences() {
    return true;
  }

  @Override
  public Iterator<Marker> iterator() {
    return Collections.<Marker>nCopies(times, this).iterator();
  }

  @Override
  public boolean contains(Marker other) {
    return other == this;
  }

  @Override
  public boolean contains(String name) {
    return false;
  }
}
