@NullMarked
package org.rankunit.comm.jna;

import org.jspecify.annotations.NullMarked;
