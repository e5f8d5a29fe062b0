/** What was decided in tests whose schedule was shaken. */
@NullMarked
package org.rankunit.engine.shake;

import org.jspecify.annotations.NullMarked;
