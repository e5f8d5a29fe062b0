/** Text for terminals. */
@NullMarked
package org.rankunit.engine.cli.text;

import org.jspecify.annotations.NullMarked;
