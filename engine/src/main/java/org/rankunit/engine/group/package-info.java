/** The life of a rank group from its lease until it ends: bring-up, reuse, and tear-down. */
@NullMarked
package org.rankunit.engine.group;

import org.jspecify.annotations.NullMarked;
