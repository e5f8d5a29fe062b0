/** Reserves the devices for planned runs. */
@NullMarked
package org.rankunit.engine.schedule;

import org.jspecify.annotations.NullMarked;
