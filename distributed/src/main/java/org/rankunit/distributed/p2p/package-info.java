/** Messages between two members of a group of devices, and the barrier that says who is missing. */
@NullMarked
package org.rankunit.distributed.p2p;

import org.jspecify.annotations.NullMarked;
