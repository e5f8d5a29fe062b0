/** Times schedules in which all ranks do the same at the same time, by one rank. */
@NullMarked
package org.rankunit.collective.simulate.lockstep;

import org.jspecify.annotations.NullMarked;
