/** What {@code doctor --npu} tries on leased devices. */
@NullMarked
package org.rankunit.engine.cli.doctor.trial;

import org.jspecify.annotations.NullMarked;
