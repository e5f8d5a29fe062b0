/** Messages between the parent and its ranks, and the channel they travel on; the only room that both use. */
@NullMarked
package org.rankunit.engine.control;

import org.jspecify.annotations.NullMarked;
