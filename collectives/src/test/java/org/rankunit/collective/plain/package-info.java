/** Runs schedules on real data in one process, one task after the other. */
@NullMarked
package org.rankunit.collective.plain;

import org.jspecify.annotations.NullMarked;
