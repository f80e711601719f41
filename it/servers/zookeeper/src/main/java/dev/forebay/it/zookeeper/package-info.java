/** A client of ZooKeeper that runs until it is told to end. */
@NullMarked
package dev.forebay.it.zookeeper;

import org.jspecify.annotations.NullMarked;
