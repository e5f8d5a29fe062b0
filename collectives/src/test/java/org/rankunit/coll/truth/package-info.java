/** Holds the verifier against a second, simple implementation of what tasks mean. */
@NullMarked
package org.rankunit.coll.truth;

import org.jspecify.annotations.NullMarked;
