/** Holds the verifier against a second, simple implementation of what tasks mean. */
@NullMarked
package org.rankunit.collective.truth;

import org.jspecify.annotations.NullMarked;
