/** Runs schedules on the windows of a communicator. */
@NullMarked
package org.rankunit.collective.run;

import org.jspecify.annotations.NullMarked;
