@NullMarked
package org.rankunit.pool;

import org.jspecify.annotations.NullMarked;
