/** What a check is and finds, and the machine that it examines. */
@NullMarked
package org.rankunit.cli.doctor.check;

import org.jspecify.annotations.NullMarked;
