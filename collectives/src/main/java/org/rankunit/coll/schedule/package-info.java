/** What an algorithm has queued, as data: the same tasks are run, verified and timed. */
@NullMarked
package org.rankunit.coll.schedule;

import org.jspecify.annotations.NullMarked;
