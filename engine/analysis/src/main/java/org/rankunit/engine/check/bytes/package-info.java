/** Sets of bytes: which ones an access touches, and which of them are written. */
@NullMarked
package org.rankunit.engine.check.bytes;

import org.jspecify.annotations.NullMarked;
