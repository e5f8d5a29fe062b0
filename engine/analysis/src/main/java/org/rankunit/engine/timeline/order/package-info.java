/** What happened before what in a test: the events of all ranks as a graph. */
@NullMarked
package org.rankunit.engine.timeline.order;

import org.jspecify.annotations.NullMarked;
