/** Tells a person what a run is doing while it runs. Observes only: nothing waits for it. */
@NullMarked
package org.rankunit.engine.watch;

import org.jspecify.annotations.NullMarked;
