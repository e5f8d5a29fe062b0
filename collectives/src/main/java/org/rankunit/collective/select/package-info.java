/** Which algorithm a call gets. */
@NullMarked
package org.rankunit.collective.select;

import org.jspecify.annotations.NullMarked;
