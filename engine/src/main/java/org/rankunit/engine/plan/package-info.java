/** Decides for each discovered test whether, where and with how many ranks it runs. */
@NullMarked
package org.rankunit.engine.plan;

import org.jspecify.annotations.NullMarked;
