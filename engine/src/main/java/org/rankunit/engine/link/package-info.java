/** The parent's end of the control channels of a group, and what is heard of its ranks there. */
@NullMarked
package org.rankunit.engine.link;

import org.jspecify.annotations.NullMarked;
