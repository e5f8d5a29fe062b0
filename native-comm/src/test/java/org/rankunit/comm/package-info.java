@NullMarked
package org.rankunit.comm;

import org.jspecify.annotations.NullMarked;
