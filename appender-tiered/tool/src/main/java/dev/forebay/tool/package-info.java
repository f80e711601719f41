/**
 * The command line tool: {@code java -jar forebay.jar VERB}. Each verb is a class that parses its
 * options, asks {@code dev.forebay.tiered.inspect} and prints through {@link
 * dev.forebay.tool.Output}. Everything runs on the main thread; {@code ship} has threads that its
 * classes name.
 *
 * <p>A verb returns an exit code of {@link dev.forebay.tool.Main}, or throws {@link
 * dev.forebay.tool.ToolException} with one and a message that says what to do instead.
 */
@NullMarked
package dev.forebay.tool;

import org.jspecify.annotations.NullMarked;
