/** The pool as the commands see it: its devices, who holds them, and which of them the user names. */
@NullMarked
package org.rankunit.cli.pool;

import org.jspecify.annotations.NullMarked;
