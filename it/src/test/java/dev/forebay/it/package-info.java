/**
 * Both appenders from outside: child processes that are killed, disks that are full, frozen or
 * gone, configurations as users write them. What the log files hold afterwards is judged by one
 * {@link dev.forebay.it.Oracle}.
 */
package dev.forebay.it;
