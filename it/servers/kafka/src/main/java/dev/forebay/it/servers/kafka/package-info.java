/** A Kafka broker as tests start it. */
@NullMarked
package dev.forebay.it.servers.kafka;

import org.jspecify.annotations.NullMarked;
