/** Device tests that the engine's tests run on real ranks; none of them is run by the build itself. */
@NullMarked
package org.rankunit.engine.cases;

import org.jspecify.annotations.NullMarked;
