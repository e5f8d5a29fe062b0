/** Finds out what ranks that do not come to an end are waiting for. */
@NullMarked
package org.rankunit.engine.hang;

import org.jspecify.annotations.NullMarked;
