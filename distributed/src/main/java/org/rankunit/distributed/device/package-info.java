/** How devices of the ranks of a test make the collectives of a process group. */
@NullMarked
package org.rankunit.distributed.device;

import org.jspecify.annotations.NullMarked;
