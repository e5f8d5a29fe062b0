/** What {@code doctor --npu} tries on leased devices. */
@NullMarked
package org.rankunit.cli.doctor.trial;

import org.jspecify.annotations.NullMarked;
