package dev.forebay;

import java.lang.reflect.Method;
import java.util.Collection;
import java.util.Comparator;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;

/**
 * Finds the name that was probably meant by a misspelt one. Loaded only for a misspelling.
 *
 * @hidden
 */
public final class Misspellings {

  private Misspellings() {}

  /** The nearest name: the first one that ends or begins with the given one, or by distance. */
  public static String nearest(String name, Collection<String> known) {
    String bare = bare(name);
    return known.stream().min(Comparator.comparingInt(one -> rank(bare(one), bare))).orElse("");
  }

  private static int rank(String known, String name) {
    return known.endsWith(name) ? -2 : known.startsWith(name) ? -1 : distance(known, name);
  }

  private static String bare(String name) {
    return name.toLowerCase(Locale.ROOT).replaceAll("[._-]", "");
  }

  /** Characters to insert, remove or replace (Levenshtein 1965), by rows. */
  private static int distance(String a, String b) {
    int[] row = new int[b.length() + 1];
    for (int j = 0; j < row.length; j++) {
      row[j] = j;
    }
    for (int i = 1; i <= a.length(); i++) {
      int diagonal = row[0];
      row[0] = i;
      for (int j = 1; j < row.length; j++) {
        int replaced = diagonal + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
        diagonal = row[j];
        row[j] = Math.min(replaced, 1 + Math.min(row[j], row[j - 1]));
      }
    }
    return row[b.length()];
  }

  /** The elements that a class has setters for. */
  static Set<String> elements(Class<?> type) {
    Set<String> elements = new TreeSet<>();
    for (Method method : type.getMethods()) {
      if (method.getName().matches("(set|add)[A-Z].*") && method.getParameterCount() == 1) {
        String name = method.getName().substring(3);
        elements.add(name.substring(0, 1).toLowerCase(Locale.ROOT) + name.substring(1));
      }
    }
    return elements;
  }
}
