/** Appenders that are steered while they run: by JMX, through their sockets, and by the tool. */
package dev.forebay.it.control;
