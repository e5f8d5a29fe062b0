/** What happens before what: streams, their clocks, and the notifies between them. */
@NullMarked
package org.rankunit.collective.verify.order;

import org.jspecify.annotations.NullMarked;
