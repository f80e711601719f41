/** A client of Kafka that runs until it is told to end. */
@NullMarked
package dev.forebay.it.kafka;

import org.jspecify.annotations.NullMarked;
