/** Where ranks are: nodes, and devices on them. */
@NullMarked
package org.rankunit.engine.protocol.place;

import org.jspecify.annotations.NullMarked;
