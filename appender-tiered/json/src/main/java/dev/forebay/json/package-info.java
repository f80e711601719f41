/**
 * Events as lines of JSON: {@link dev.forebay.json.JsonLinesEncoder} has the properties, a {@code
 * LineFormat} the fields, a {@code JsonLine} the bytes. Any thread encodes, several at once.
 */
@NullMarked
package dev.forebay.json;

import org.jspecify.annotations.NullMarked;
