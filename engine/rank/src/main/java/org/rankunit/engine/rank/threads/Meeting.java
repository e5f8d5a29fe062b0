package org.rankunit.engine.rank.threads;

import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The methods of the JDK by which threads order themselves, and how. Those of {@code AbstractQueuedSynchronizer} stand for all locks,
 * latches, semaphores and blocking queues that are made with it.
 *
 * @param releases whether a call lets other threads know what the caller did
 * @param acquires when the caller knows what others did
 * @param key by what the threads meet
 * @param ofUser whether only objects count that a class of the user was the first to use, since libraries have such all the time
 */
record Meeting(boolean releases, Acquires acquires, Key key, boolean ofUser) {

    /** When a method knows what others did. */
    enum Acquires {
        NEVER,
        FIRST,
        LAST
    }

    /** What two threads must have in common to meet. */
    enum Key {
        THIS,
        FIRST_ARGUMENT,

        /** The thread that calls, after it was parked. */
        CALLER,

        /** The object, if it is the thread that calls. */
        BEGIN,

        /** All futures that complete are one, since what runs then may depend on several. */
        ALL_FUTURES,

        /** All tasks of such pools are one, since threads take them from each other. */
        ALL_TASKS
    }

    private record Rule(Pattern methods, Meeting meeting) {}

    private static final String CONCURRENT = "java/util/concurrent/";
    private static final String ATOMIC = CONCURRENT + "atomic/";

    private static final List<Rule> SYNCHRONIZER =
            List.of(acquire("getState"), release("setState"), both("compareAndSetState"));
    private static final List<Rule> QUEUE = List.of(
            both("(poll|take|remove)(First|Last)?|pop|drainTo|clear|transfer|tryTransfer"),
            release("(add|offer|put)(First|Last|All)?|push"),
            acquire("(peek|get)(First|Last)?|element|contains|isEmpty|size|iterator|toArray"));
    private static final List<Rule> NUMBER = List.of(
            ofUser(acquire("get|getPlain|getOpaque|getAcquire|(int|long|float|double)Value|getReference|getStamp"
                    + "|isMarked|sum")),
            ofUser(release("set|lazySet|setPlain|setOpaque|setRelease|reset")),
            ofUser(both("(get|weak|compare|increment|decrement|accumulate|update|add|attempt|sumThen).*")));
    private static final List<Rule> MAP = List.of(
            ofUser(acquire("get|getOrDefault|contains.*|isEmpty|size|forEach|entrySet|keySet|values")),
            ofUser(both("put.*|replace.*|remove.*|compute.*|merge|clear")));

    /** Collections whose methods take a monitor. */
    private static final List<Rule> MONITOR = List.of(
            ofUser(both("(add|put|set|remove|replace|compute|merge|clear|retain|sort|insert).*")),
            ofUser(acquire("(get|contains|is|for|index|element|entry|key).*|size|values|iterator|toArray|stream")));

    private static final List<Rule> UPDATER = List.of(
            all(
                    Key.FIRST_ARGUMENT,
                    true,
                    Acquires.LAST,
                    "compareAndSet|weakCompareAndSet|(get|add|increment).+|set|lazySet"),
            all(Key.FIRST_ARGUMENT, false, Acquires.LAST, "get"));

    /** The rules of each class; the first that fits a method holds. */
    private static final Map<String, List<Rule>> RULES = Map.ofEntries(
            Map.entry(
                    "java/lang/Thread",
                    List.of(
                            release("start|exit|interrupt"),
                            acquire("join|getState|isInterrupted"),
                            all(Key.CALLER, false, Acquires.LAST, "interrupted"),
                            all(Key.BEGIN, false, Acquires.FIRST, "run"))),
            Map.entry(CONCURRENT + "ForkJoinWorkerThread", List.of(all(Key.BEGIN, false, Acquires.FIRST, "run"))),
            Map.entry(CONCURRENT + "locks/AbstractQueuedSynchronizer", SYNCHRONIZER),
            Map.entry(CONCURRENT + "locks/AbstractQueuedLongSynchronizer", SYNCHRONIZER),
            Map.entry(
                    CONCURRENT + "locks/LockSupport",
                    List.of(
                            all(Key.FIRST_ARGUMENT, true, Acquires.NEVER, "unpark"),
                            all(Key.CALLER, false, Acquires.LAST, "park.*"))),
            Map.entry(
                    CONCURRENT + "locks/StampedLock",
                    List.of(
                            release("(tryU|u)nlock.*|unstampedUnlock.*"),
                            both("tryConvert.*"),
                            acquire("(try)?(read|write)Lock.*|tryOptimisticRead|validate"))),
            Map.entry(
                    CONCURRENT + "FutureTask",
                    List.of(release("set|setException|cancel"), acquire("get|isDone|resultNow|exceptionNow|state"))),
            Map.entry(
                    CONCURRENT + "CompletableFuture",
                    List.of(
                            all(Key.ALL_FUTURES, true, Acquires.NEVER, "complete.*|obtrude.*|internalComplete|cancel"),
                            all(Key.ALL_FUTURES, false, Acquires.LAST, "get|join|getNow|is.*|resultNow|exceptionNow"),
                            all(
                                    Key.ALL_FUTURES,
                                    false,
                                    Acquires.FIRST,
                                    "(then|handle|whenComplete|exceptionally|run|accept|apply).*"))),
            Map.entry(
                    CONCURRENT + "CompletableFuture$Completion",
                    List.of(all(Key.ALL_FUTURES, false, Acquires.FIRST, "run|exec"))),
            Map.entry(
                    CONCURRENT + "CompletableFuture$UniCompletion",
                    List.of(all(Key.ALL_FUTURES, false, Acquires.FIRST, "claim"))),
            Map.entry(
                    CONCURRENT + "ForkJoinPool",
                    List.of(
                            all(Key.ALL_TASKS, true, Acquires.NEVER, "execute|submit|lazySubmit|externalSubmit"),
                            all(Key.ALL_TASKS, true, Acquires.LAST, "invoke|invokeAll|invokeAny|await.*|close"))),
            Map.entry(
                    CONCURRENT + "ForkJoinTask",
                    List.of(
                            all(Key.ALL_TASKS, true, Acquires.NEVER, "fork|setDone|trySetThrown|quietlyComplete"),
                            all(Key.ALL_TASKS, false, Acquires.FIRST, "doExec"),
                            all(
                                    Key.ALL_TASKS,
                                    false,
                                    Acquires.LAST,
                                    "join|get|invoke|invokeAll|quietly(Join|Invoke)|is.*"))),
            Map.entry(
                    CONCURRENT + "CountedCompleter",
                    List.of(all(
                            Key.ALL_TASKS,
                            true,
                            Acquires.NEVER,
                            "tryComplete|propagateCompletion|complete|quietlyCompleteRoot"))),
            Map.entry(CONCURRENT + "SynchronousQueue", List.of(both("put|offer|take|poll"))),
            Map.entry(CONCURRENT + "LinkedBlockingQueue", QUEUE),
            Map.entry(CONCURRENT + "LinkedTransferQueue", QUEUE),
            Map.entry(CONCURRENT + "ConcurrentLinkedQueue", QUEUE),
            Map.entry(CONCURRENT + "ConcurrentLinkedDeque", QUEUE),
            Map.entry(CONCURRENT + "Exchanger", List.of(both("exchange"))),
            Map.entry(
                    CONCURRENT + "Phaser",
                    List.of(both("arrive.*|await.*|register|bulkRegister"), acquire("get.*|is.*"))),
            Map.entry(CONCURRENT + "ConcurrentHashMap", MAP),
            Map.entry(CONCURRENT + "ConcurrentSkipListMap", MAP),
            Map.entry(CONCURRENT + "CopyOnWriteArrayList", MONITOR),
            Map.entry("java/util/Vector", MONITOR),
            Map.entry("java/util/Hashtable", MONITOR),
            Map.entry("java/util/Collections$SynchronizedCollection", MONITOR),
            Map.entry("java/util/Collections$SynchronizedList", MONITOR),
            Map.entry("java/util/Collections$SynchronizedMap", MONITOR),
            Map.entry("java/util/TaskQueue", List.of(both("add|getMin|removeMin|isEmpty"))), // of a Timer
            Map.entry(ATOMIC + "AtomicBoolean", NUMBER),
            Map.entry(ATOMIC + "AtomicInteger", NUMBER),
            Map.entry(ATOMIC + "AtomicIntegerArray", NUMBER),
            Map.entry(ATOMIC + "AtomicLong", NUMBER),
            Map.entry(ATOMIC + "AtomicLongArray", NUMBER),
            Map.entry(ATOMIC + "AtomicReference", NUMBER),
            Map.entry(ATOMIC + "AtomicReferenceArray", NUMBER),
            Map.entry(ATOMIC + "AtomicMarkableReference", NUMBER),
            Map.entry(ATOMIC + "AtomicStampedReference", NUMBER),
            Map.entry(ATOMIC + "AtomicIntegerFieldUpdater$AtomicIntegerFieldUpdaterImpl", UPDATER),
            Map.entry(ATOMIC + "AtomicLongFieldUpdater$CASUpdater", UPDATER),
            Map.entry(ATOMIC + "AtomicReferenceFieldUpdater$AtomicReferenceFieldUpdaterImpl", UPDATER),
            Map.entry(ATOMIC + "LongAccumulator", NUMBER),
            Map.entry(ATOMIC + "LongAdder", NUMBER));

    /** The classes that have such methods, in the names of class files. */
    static Iterable<String> classes() {
        return RULES.keySet();
    }

    /** What happens in a method of the JDK, or {@code null} if no threads meet there. */
    static @Nullable Meeting of(String className, String method) {
        return RULES.getOrDefault(className, List.of()).stream()
                .filter(rule -> rule.methods.matcher(method).matches())
                .map(Rule::meeting)
                .findFirst()
                .orElse(null);
    }

    private static Rule release(String methods) {
        return all(Key.THIS, true, Acquires.NEVER, methods);
    }

    private static Rule acquire(String methods) {
        return all(Key.THIS, false, Acquires.LAST, methods);
    }

    private static Rule both(String methods) {
        return all(Key.THIS, true, Acquires.LAST, methods);
    }

    private static Rule all(Key key, boolean releases, Acquires acquires, String methods) {
        return new Rule(Pattern.compile(methods), new Meeting(releases, acquires, key, false));
    }

    private static Rule ofUser(Rule rule) {
        Meeting any = rule.meeting;
        return new Rule(rule.methods, new Meeting(any.releases, any.acquires, any.key, true));
    }
}
