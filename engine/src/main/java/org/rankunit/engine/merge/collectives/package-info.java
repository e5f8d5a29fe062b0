/** What tests ran by schedules, on all ranks together. */
@NullMarked
package org.rankunit.engine.merge.collectives;

import org.jspecify.annotations.NullMarked;
