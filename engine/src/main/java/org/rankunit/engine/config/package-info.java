/** The configuration keys: their names, defaults, and what is said about a mistake. */
@NullMarked
package org.rankunit.engine.config;

import org.jspecify.annotations.NullMarked;
