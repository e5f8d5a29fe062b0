/** What is to be computed by a collective: the operation, its data, and what its caller may expect. */
@NullMarked
package org.rankunit.collective.call;

import org.jspecify.annotations.NullMarked;
