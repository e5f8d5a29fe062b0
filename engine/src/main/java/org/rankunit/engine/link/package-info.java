/** The parent's end of the control channels of a group, and the signals that it receives from the ranks. */
@NullMarked
package org.rankunit.engine.link;

import org.jspecify.annotations.NullMarked;
