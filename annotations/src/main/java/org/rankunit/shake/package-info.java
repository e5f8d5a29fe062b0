/** Tests whose schedule on simulators is varied. */
@NullMarked
package org.rankunit.shake;

import org.jspecify.annotations.NullMarked;
