/** Runs schedules on real data in one process, one task after the other. */
@NullMarked
package org.rankunit.coll.plain;

import org.jspecify.annotations.NullMarked;
