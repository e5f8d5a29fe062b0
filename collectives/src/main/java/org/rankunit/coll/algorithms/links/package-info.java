/** What algorithms of several topologies share. */
@NullMarked
package org.rankunit.coll.algorithms.links;

import org.jspecify.annotations.NullMarked;
