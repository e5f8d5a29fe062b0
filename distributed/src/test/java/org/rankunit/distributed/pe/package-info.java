@NullMarked
package org.rankunit.distributed.pe;

import org.jspecify.annotations.NullMarked;
