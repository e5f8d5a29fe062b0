/** What algorithms of several topologies share. */
@NullMarked
package org.rankunit.collective.algorithms.links;

import org.jspecify.annotations.NullMarked;
