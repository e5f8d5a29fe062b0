/** What a machine of processing elements consists of, and what its paths cost. */
@NullMarked
package org.rankunit.distributed.pe.machine;

import org.jspecify.annotations.NullMarked;
