/** What a machine of processing elements consists of, and what its paths cost. */
@NullMarked
package org.rankunit.pe.machine;

import org.jspecify.annotations.NullMarked;
