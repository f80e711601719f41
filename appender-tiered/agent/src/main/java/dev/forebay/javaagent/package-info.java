/**
 * The agent as the application's class path has it: two classes, which start {@link
 * dev.forebay.javaagent.log} in a class loader that the application does not see.
 */
@NullMarked
package dev.forebay.javaagent;

import org.jspecify.annotations.NullMarked;
