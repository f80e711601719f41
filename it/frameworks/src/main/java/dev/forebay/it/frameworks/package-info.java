/** What the applications of all frameworks do: log what a request has, and account for it. */
@NullMarked
package dev.forebay.it.frameworks;

import org.jspecify.annotations.NullMarked;
