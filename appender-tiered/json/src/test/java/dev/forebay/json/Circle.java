package dev.forebay.json;

import java.io.Serial;
import java.util.Iterator;
import java.util.List;
import org.slf4j.Marker;

/** Refers to itself. */
final class Circle implements Marker {

  @Serial private static final long serialVersionUID = 1;

  @Override
  public String getName() {
    return "CIRCLE";
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
    return List.<Marker>of(this).iterator();
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
