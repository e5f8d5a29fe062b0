/** Process groups in the manner of torch.distributed. */
@NullMarked
package org.rankunit.distributed;

import org.jspecify.annotations.NullMarked;
