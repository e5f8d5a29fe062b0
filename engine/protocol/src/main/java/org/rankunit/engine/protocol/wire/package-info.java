/** The channel between the parent and a rank: records as JSON, in frames, within limits. It knows no message. */
@NullMarked
package org.rankunit.engine.protocol.wire;

import org.jspecify.annotations.NullMarked;
