/** Finds out what hanging ranks are waiting for. */
@NullMarked
package org.rankunit.engine.hang;

import org.jspecify.annotations.NullMarked;
