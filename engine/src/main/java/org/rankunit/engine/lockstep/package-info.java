/** One run of tests on a group: all ranks enter each test together, or not at all. */
@NullMarked
package org.rankunit.engine.lockstep;

import org.jspecify.annotations.NullMarked;
