/**
 * The bridge to the listeners of logstash-logback-encoder, which must be on the class path to use
 * it. Nothing else here depends on that library.
 *
 * <p>Reports of drops enter and calls of that library's listeners leave, both on the reporter's
 * thread.
 */
@NullMarked
package dev.forebay.logstash;

import org.jspecify.annotations.NullMarked;
