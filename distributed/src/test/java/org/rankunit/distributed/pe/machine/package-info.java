@NullMarked
package org.rankunit.distributed.pe.machine;

import org.jspecify.annotations.NullMarked;
