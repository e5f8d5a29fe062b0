/** Curves as a drawing with a table. Knows nothing of what they mean. */
@NullMarked
package org.rankunit.engine.report.plot;

import org.jspecify.annotations.NullMarked;
