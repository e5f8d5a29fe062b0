/** What bytes hold, as expressions, and who has accessed them. */
@NullMarked
package org.rankunit.collective.verify.memory;

import org.jspecify.annotations.NullMarked;
