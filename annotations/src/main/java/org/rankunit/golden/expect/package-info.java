/** What a golden expects, as far as the output decides what that is. Internal. */
@NullMarked
package org.rankunit.golden.expect;

import org.jspecify.annotations.NullMarked;
