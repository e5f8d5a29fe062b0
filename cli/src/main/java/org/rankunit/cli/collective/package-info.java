/** Algorithms of collectives as the commands see them. */
@NullMarked
package org.rankunit.cli.collective;

import org.jspecify.annotations.NullMarked;
