package dev.forebay.tool;

/**
 * Something that can stall the application or lose lines.
 *
 * @param id a word for scripts, never changed
 * @param where the file and line, or the option, it was found in
 * @param fault what can happen
 * @param instead the line to write
 */
record Advice(String id, String where, String fault, String instead) {

  Json json() {
    return new Json().put("id", id).put("where", where).put("fault", fault).put("instead", instead);
  }
}
