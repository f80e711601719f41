package dev.forebay.json;

import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is configured, for all formats.
 *
 * @param common values by element name, such as {@code serviceName}, which formats name differently
 * @param fields static fields by name
 * @param includedMdcKeys all if empty
 * @param maxStackTraceLength characters; 0 if unlimited
 * @param maxStackTraceDepth frames of each throwable; 0 if unlimited
 * @param structured null if there is no such library
 */
record LineSettings(
    Map<String, String> common,
    Map<String, String> fields,
    Set<String> includedMdcKeys,
    Set<String> excludedMdcKeys,
    int maxStackTraceLength,
    int maxStackTraceDepth,
    @Nullable StructuredFields structured) {}
