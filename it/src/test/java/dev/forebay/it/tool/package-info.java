/** The command line tool: its jar runs as a process beside live, dead and damaged spools. */
@org.jspecify.annotations.NullMarked
package dev.forebay.it.tool;
