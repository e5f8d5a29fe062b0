/** How long schedules take on a modelled machine, by discrete events. */
@NullMarked
package org.rankunit.collective.simulate;

import org.jspecify.annotations.NullMarked;
