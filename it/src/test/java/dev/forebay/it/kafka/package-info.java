/** Topics of real brokers as the durable log, with crashes on both sides. */
@NullMarked
package dev.forebay.it.kafka;

import org.jspecify.annotations.NullMarked;
