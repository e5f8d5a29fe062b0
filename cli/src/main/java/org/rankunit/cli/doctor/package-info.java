/** Checks whether this machine can run tests. There is one class for each check. */
@NullMarked
package org.rankunit.cli.doctor;

import org.jspecify.annotations.NullMarked;
