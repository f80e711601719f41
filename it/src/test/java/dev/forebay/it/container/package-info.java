/** Containers: killed, stopped, short of memory, and without rights. */
package dev.forebay.it.container;
