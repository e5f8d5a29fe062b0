/** Communicators: ranks that share windows of memory and synchronize by barriers. */
@NullMarked
package org.rankunit.comm;

import org.jspecify.annotations.NullMarked;
