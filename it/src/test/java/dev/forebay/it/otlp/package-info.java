/** Events sent to OpenTelemetry's collector. */
@NullMarked
package dev.forebay.it.otlp;

import org.jspecify.annotations.NullMarked;
