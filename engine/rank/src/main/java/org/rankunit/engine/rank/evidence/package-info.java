/** What a rank can say about itself while it runs or hangs: where its threads and its tests are. */
@NullMarked
package org.rankunit.engine.rank.evidence;

import org.jspecify.annotations.NullMarked;
