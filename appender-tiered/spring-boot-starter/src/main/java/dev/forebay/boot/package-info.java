/**
 * Properties of a Spring Boot application enter, its log file, meters, health and endpoint leave.
 * On the thread that starts the application; what shows the appenders, on any.
 */
@NullMarked
package dev.forebay.boot;

import org.jspecify.annotations.NullMarked;
