/** Log files of ours, carried away by agents that people already run. */
@NullMarked
package dev.forebay.it.carrier;

import org.jspecify.annotations.NullMarked;
