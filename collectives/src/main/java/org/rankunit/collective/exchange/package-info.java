/** Schedules in formats that other tools read: GOAL, which is also read and timed, and Chakra execution traces. */
@NullMarked
package org.rankunit.collective.exchange;

import org.jspecify.annotations.NullMarked;
