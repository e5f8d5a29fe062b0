/** Finds what hardware would punish in what the simulator has recorded of a test. */
@NullMarked
package org.rankunit.engine.check;

import org.jspecify.annotations.NullMarked;
