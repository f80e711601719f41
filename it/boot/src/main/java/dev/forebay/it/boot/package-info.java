/** A Spring Boot application that logs what it is told to. */
@NullMarked
package dev.forebay.it.boot;

import org.jspecify.annotations.NullMarked;
