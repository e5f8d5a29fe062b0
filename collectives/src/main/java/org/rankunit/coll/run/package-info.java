/** Runs schedules on the windows of a communicator. */
@NullMarked
package org.rankunit.coll.run;

import org.jspecify.annotations.NullMarked;
