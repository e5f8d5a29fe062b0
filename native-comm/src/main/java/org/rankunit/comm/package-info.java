/** Communicators: ranks that share windows of memory and meet in barriers. */
@NullMarked
package org.rankunit.comm;

import org.jspecify.annotations.NullMarked;
