/**
 * What the demo, the lab and the tests all need of the machine they run on: commands, a disk and a
 * pipe that can be made sick, clean-up that happens however a run ends, and waiting. Knows nothing
 * of the appenders.
 */
@NullMarked
package dev.forebay.host;

import org.jspecify.annotations.NullMarked;
