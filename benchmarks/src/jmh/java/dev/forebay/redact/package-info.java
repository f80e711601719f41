/** What redaction costs; beside the package of the same name to see it. */
@NullMarked
package dev.forebay.redact;

import org.jspecify.annotations.NullMarked;
