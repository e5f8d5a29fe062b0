/** Random programs for devices, all orders in which they can run, and the logs of a run. Shares no code with the checks. */
@NullMarked
package org.rankunit.engine.check.program;

import org.jspecify.annotations.NullMarked;
