package dev.forebay.redact;

import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What is replaced.
 *
 * @param keys names of values; * stands for any characters
 * @param patterns in the text of a line
 * @param regexes as those, the user's
 */
public record RedactRules(List<String> keys, Set<NamedPattern> patterns, List<Pattern> regexes) {}
