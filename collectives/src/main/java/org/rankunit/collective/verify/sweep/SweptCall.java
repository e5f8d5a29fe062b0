package org.rankunit.collective.verify.sweep;

import java.util.List;
import org.rankunit.collective.call.CollectiveCall;

/**
 * A call, and the values that it was made of.
 *
 * @param choices one for each parameter
 */
record SweptCall(CollectiveCall call, List<Choice> choices) {}
