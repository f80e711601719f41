/**
 * In a container the promises hold within its memory, its rights and its end, as far as its mounts
 * outlive it; needs a Docker engine.
 */
package dev.forebay.it.container;
