/** How a rank that does not see the parent's files reads and writes them. */
@NullMarked
package org.rankunit.engine.protocol.files;

import org.jspecify.annotations.NullMarked;
