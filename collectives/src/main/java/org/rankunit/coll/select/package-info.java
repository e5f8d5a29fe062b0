/** Which algorithm a call gets. */
@NullMarked
package org.rankunit.coll.select;

import org.jspecify.annotations.NullMarked;
