/** How long schedules take on a modelled machine, by discrete events. */
@NullMarked
package org.rankunit.coll.simulate;

import org.jspecify.annotations.NullMarked;
