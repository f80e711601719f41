package dev.forebay.host;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Objects;

/** A page that needs no network: styles, the plotting library and the data are in the one file. */
public final class OfflinePage {

  private static final String UPLOT = "/META-INF/resources/webjars/uplot/1.6.30/dist/uPlot";

  /**
   * Chromium's language is no language tag in a POSIX locale, and uPlot (1.6.30) ends where it
   * loads.
   */
  private static final String LANGUAGE =
      """
      try { Intl.getCanonicalLocales(navigator.language); } catch {
        Object.defineProperty(navigator, "language", { value: "en" });
      }
      """;

  private OfflinePage() {}

  /**
   * Fills in a template.
   *
   * @param template has a comment <code>/*name*&#47;</code> in the place of each part: {@code
   *     uplot.css}, {@code page.css}, {@code uplot.js}, {@code page.js} and {@code data}
   * @param json the data; may contain any text
   */
  public static String of(String template, String json) throws IOException {
    return template
        .replace("/*uplot.css*/", resource(OfflinePage.class, UPLOT + ".min.css"))
        .replace("/*page.css*/", resource(OfflinePage.class, "page.css"))
        .replace("/*uplot.js*/", LANGUAGE + resource(OfflinePage.class, UPLOT + ".iife.min.js"))
        .replace("/*page.js*/", resource(OfflinePage.class, "page.js"))
        .replace("/*data*/", json.replace("<", "\\u003c"));
  }

  /** The text of a resource, looked up from a class. */
  public static String resource(Class<?> owner, String name) throws IOException {
    try (InputStream in = owner.getResourceAsStream(name)) {
      return new String(Objects.requireNonNull(in, name).readAllBytes(), StandardCharsets.UTF_8);
    }
  }
}
