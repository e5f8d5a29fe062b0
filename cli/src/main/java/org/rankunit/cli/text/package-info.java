/** Text for terminals. */
@NullMarked
package org.rankunit.cli.text;

import org.jspecify.annotations.NullMarked;
