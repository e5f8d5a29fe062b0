/** The configuration keys: their names, defaults, and the messages about invalid values. */
@NullMarked
package org.rankunit.engine.config;

import org.jspecify.annotations.NullMarked;
