/** What the author of an algorithm for processing elements uses. */
@NullMarked
package org.rankunit.distributed.pe;

import org.jspecify.annotations.NullMarked;
