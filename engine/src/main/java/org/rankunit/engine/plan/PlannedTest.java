package org.rankunit.engine.plan;

import org.rankunit.engine.discovery.DeviceTest;
import org.rankunit.engine.discovery.DeviceTestDescriptor;

/** One test of the tree, and what is to become of it. */
public record PlannedTest(DeviceTestDescriptor node, DeviceTest test, TestDecision decision) {}
