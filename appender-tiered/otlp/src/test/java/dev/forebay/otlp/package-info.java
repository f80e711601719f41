@NullMarked
package dev.forebay.otlp;

import org.jspecify.annotations.NullMarked;
