@NullMarked
package dev.forebay.json;

import org.jspecify.annotations.NullMarked;
