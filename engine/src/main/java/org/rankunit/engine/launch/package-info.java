/** Starts ranks, talks to them, and ends them. */
@NullMarked
package org.rankunit.engine.launch;

import org.jspecify.annotations.NullMarked;
