/** Chakra execution traces of schedules and of others. */
@NullMarked
package org.rankunit.collective.exchange.chakra;

import org.jspecify.annotations.NullMarked;
