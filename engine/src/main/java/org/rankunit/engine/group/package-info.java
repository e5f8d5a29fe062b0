/** A rank group from its lease to its end: bring-up, reuse, and what becomes of it. */
@NullMarked
package org.rankunit.engine.group;

import org.jspecify.annotations.NullMarked;
