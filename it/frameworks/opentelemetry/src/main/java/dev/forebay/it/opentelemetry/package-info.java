/** An application whose log lines belong to spans. */
@NullMarked
package dev.forebay.it.opentelemetry;

import org.jspecify.annotations.NullMarked;
