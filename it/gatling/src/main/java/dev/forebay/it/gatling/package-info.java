/** Load for an application whose log disk gets sick, as a Gatling simulation. */
@NullMarked
package dev.forebay.it.gatling;

import org.jspecify.annotations.NullMarked;
