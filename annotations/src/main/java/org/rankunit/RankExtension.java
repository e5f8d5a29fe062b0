package org.rankunit;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ConditionEvaluationResult;
import org.junit.jupiter.api.extension.DynamicTestInvocationContext;
import org.junit.jupiter.api.extension.ExecutionCondition;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.InvocationInterceptor;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.ReflectiveInvocationContext;
import org.junit.jupiter.api.extension.TestInstanceFactoryContext;
import org.junit.jupiter.api.extension.TestInstancePreConstructCallback;
import org.junit.platform.commons.support.ReflectionSupport;
import org.opentest4j.AssertionFailedError;
import org.opentest4j.TestAbortedException;

/**
 * Makes a device test fail outside of a rank, and wait for the other ranks before each test inside of one.
 *
 * <p>The guard is in the callbacks, not in the condition, because users may switch conditions off
 * ({@code junit.jupiter.conditions.deactivate}), and a device test must fail even then.
 */
final class RankExtension
        implements ExecutionCondition,
                BeforeAllCallback,
                BeforeEachCallback,
                TestInstancePreConstructCallback,
                ParameterResolver,
                InvocationInterceptor {

    private static final String STOPPED = "an earlier test failed on these ranks; runs on new ones";

    @Override
    public ConditionEvaluationResult evaluateExecutionCondition(ExtensionContext context) {
        CurrentRank.Session session = CurrentRank.session();
        if (session == null || context.getTestMethod().isEmpty() || isTemplate(context)) {
            return ConditionEvaluationResult.enabled("no test method of a rank");
        }
        return session.mayRun(context.getUniqueId())
                ? ConditionEvaluationResult.enabled("all ranks are here")
                : ConditionEvaluationResult.disabled(STOPPED);
    }

    @Override
    public void preConstructTestInstance(TestInstanceFactoryContext factory, ExtensionContext context) {
        CurrentRank.Session session = CurrentRank.session();
        boolean isOfOneTest = context.getTestInstanceLifecycle()
                .filter(lifecycle -> lifecycle == TestInstance.Lifecycle.PER_METHOD)
                .isPresent();
        if (session != null && isOfOneTest) {
            session.instanceCreated();
        }
    }

    /** A template is a container: each of its invocations waits on its own. */
    private static boolean isTemplate(ExtensionContext context) {
        String id = context.getUniqueId();
        return id.startsWith("[test-template:", id.lastIndexOf('['));
    }

    @Override
    public void beforeAll(ExtensionContext context) {
        sessionOf(context);
    }

    @Override
    public void beforeEach(ExtensionContext context) {
        CurrentRank.Session session = sessionOf(context);
        if (!session.mayRun(context.getUniqueId())) {
            throw new TestAbortedException(STOPPED);
        }
        try {
            session.beginTest();
        } catch (RuntimeException e) {
            session.failed(e);
            throw e;
        }
    }

    @Override
    public void interceptDynamicTest(
            Invocation<@Nullable Void> invocation, DynamicTestInvocationContext dynamic, ExtensionContext context)
            throws Throwable {
        if (!sessionOf(context).mayRun(context.getUniqueId())) {
            invocation.skip();
            throw new TestAbortedException(STOPPED);
        }
        watched(invocation, context);
    }

    @Override
    public <T> T interceptTestClassConstructor(
            Invocation<T> invocation, ReflectiveInvocationContext<Constructor<T>> method, ExtensionContext context)
            throws Throwable {
        return watched(invocation, context);
    }

    @Override
    public void interceptBeforeAllMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        watched(invocation, context);
    }

    @Override
    public void interceptBeforeEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        watched(invocation, context);
    }

    @Override
    public void interceptTestMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inRounds(invocation, method, context);
    }

    @Override
    public void interceptTestTemplateMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        inRounds(invocation, method, context);
    }

    /** Jupiter lets an invocation proceed only once, so that the further rounds call the method themselves. */
    private static void inRounds(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        CurrentRank.Session session = sessionOf(context);
        int rounds = session.rounds();
        if (rounds == 1) {
            watched(verified(invocation, method, context), context);
            return;
        }
        Invocation<@Nullable Void> again = () -> {
            ReflectionSupport.invokeMethod(
                    method.getExecutable(),
                    method.getTarget().orElse(null),
                    method.getArguments().toArray());
            return null;
        };
        for (int round = 0; round < rounds; round++) {
            Invocation<@Nullable Void> body = verified(round == 0 ? invocation : again, method, context);
            watched(
                    () -> {
                        session.beginRound();
                        body.proceed();
                        session.endRound();
                        return null;
                    },
                    context);
        }
    }

    /** The method of a test with all that belongs to it, so that a wrong output is a failure of the method. */
    private static Invocation<@Nullable Void> verified(
            Invocation<@Nullable Void> body, ReflectiveInvocationContext<Method> method, ExtensionContext context) {
        return () -> {
            sessionOf(context).bodyBegins(context.getUniqueId(), method.getArguments());
            body.proceed();
            sessionOf(context).bodyEnded(context.getUniqueId());
            return null;
        };
    }

    @Override
    public <T> T interceptTestFactoryMethod(
            Invocation<T> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        return watched(invocation, context);
    }

    @Override
    public void interceptAfterEachMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        watched(invocation, context);
    }

    @Override
    public void interceptAfterAllMethod(
            Invocation<@Nullable Void> invocation, ReflectiveInvocationContext<Method> method, ExtensionContext context)
            throws Throwable {
        watched(invocation, context);
    }

    /**
     * Calls the method, and makes it fail if it broke the communicator, even if it caught the exception that followed.
     * A method that finds the communicator already broken, such as the constructor for the next test, does not fail.
     *
     * <p>A failure must release the other ranks before this rank runs its clean-up methods. These may wait in a barrier
     * too, and would meet ranks that still wait in the barrier of the test's body.
     */
    private static <T> T watched(Invocation<T> invocation, ExtensionContext context) throws Throwable {
        CurrentRank.Session session = sessionOf(context);
        boolean wasSound = session.isSound();
        try {
            T result = invocation.proceed();
            if (wasSound) {
                session.requireSound();
            }
            return result;
        } catch (Throwable cause) {
            session.failed(cause);
            throw cause;
        }
    }

    @Override
    public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
        return parameter.getParameter().getType() == RankContext.class;
    }

    @Override
    public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
        return sessionOf(context).context();
    }

    private static CurrentRank.Session sessionOf(ExtensionContext context) {
        CurrentRank.Session session = CurrentRank.session();
        if (session == null) {
            throw new AssertionFailedError(outside(context));
        }
        return session;
    }

    private static String outside(ExtensionContext context) {
        String test = context.getRequiredTestClass().getName()
                + context.getTestMethod()
                        .map(Method::getName)
                        .map(name -> "." + name)
                        .orElse("");
        return test + " is a device test (@DeviceCount, @Platforms) and was started outside a rank, on no device.\n"
                + "The engine 'rankunit' did not claim it. Either rankunit-engine is not on the test class path, or the"
                + " engine is switched off (includeJUnit5Engines / excludeJUnit5Engines of Surefire,"
                + " --include-engine / --exclude-engine, includeEngines / excludeEngines of Gradle,"
                + " @IncludeEngines / @ExcludeEngines of a suite).\n"
                + "Add the dependency org.rankunit:rankunit-engine, or let the engine 'rankunit' run.";
    }
}
