@NullMarked
package org.rankunit.distributed;

import org.jspecify.annotations.NullMarked;
