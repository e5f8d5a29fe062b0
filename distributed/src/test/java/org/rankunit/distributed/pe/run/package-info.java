@NullMarked
package org.rankunit.distributed.pe.run;

import org.jspecify.annotations.NullMarked;
