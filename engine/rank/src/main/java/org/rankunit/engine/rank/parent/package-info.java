/** The rank's link to its parent: the control channel, and the end of this process when the parent is gone. */
@NullMarked
package org.rankunit.engine.rank.parent;

import org.jspecify.annotations.NullMarked;
