// Orchestration functions for the tests. The kernels are those of graph_kernels.cpp, under their names.
#include <cstddef>
#include <vector>

#include "rankunit/orchestration.h"

namespace {

uint64_t stamp(const OrchestrationEnv *env, uint64_t stamps, uint64_t number, const char *name = nullptr) {
    const uint64_t words = stamps + 8 + 24 * number;
    OrchestrationArgument args[] = {rankunit_scalar(stamps), rankunit_scalar(words), rankunit_scalar(words + 8),
                                    rankunit_scalar(words + 16)};
    return rankunit_submit(env, rankunit_kernel(env, "stamp"), args, name);
}

void put(const OrchestrationEnv *env, uint64_t word, uint64_t value, const char *name = nullptr) {
    OrchestrationArgument args[] = {rankunit_out(word, 8), rankunit_scalar(value)};
    rankunit_submit(env, rankunit_kernel(env, "put"), args, name);
}

void add(const OrchestrationEnv *env, uint64_t target, uint64_t source, uint64_t added) {
    OrchestrationArgument args[] = {rankunit_out(target, 8), rankunit_in(source, 8), rankunit_scalar(added)};
    rankunit_submit(env, rankunit_kernel(env, "add"), args);
}

}  // namespace

// args: stamps, tasks, distance: task i depends on task i - distance
RANKUNIT_ORCHESTRATION_FUNCTION(stamps_in_chains)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    std::vector<uint64_t> tasks;
    for (uint64_t i = 0; i < args[1]; i++) {
        tasks.push_back(stamp(env, args[0], i));
        if (i >= args[2]) env->ops->add_edge(env, tasks[i - args[2]], tasks[i]);
        env->ops->publish(env, tasks[i]);
    }
    return 0;
}

// args: stamps, tasks, distance: the same without publish; every other task gets its edge from `after`
RANKUNIT_ORCHESTRATION_FUNCTION(chains_on_the_host)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 3 || env->runtime != GRAPH_HOST_BUILT) return 1;
    std::vector<uint64_t> tasks;
    for (uint64_t i = 0; i < args[1]; i++) {
        const bool has_before = i >= args[2];
        const uint64_t before = has_before ? tasks[i - args[2]] : 0;
        if (!has_before || i % 2 == 0) {
            tasks.push_back(stamp(env, args[0], i));
            if (has_before) env->ops->add_edge(env, before, tasks[i]);
            continue;
        }
        const uint64_t words = args[0] + 8 + 24 * i;
        OrchestrationArgument arguments[] = {rankunit_scalar(args[0]), rankunit_scalar(words),
                                             rankunit_scalar(words + 8), rankunit_scalar(words + 16)};
        OrchestrationTask task{};
        task.size = sizeof(task);
        task.kernel = rankunit_kernel(env, "stamp");
        task.args = arguments;
        task.nargs = 4;
        task.after = &before;
        task.nafter = 1;
        tasks.push_back(env->ops->submit(env, &task));
    }
    return 0;
}

// args: stamps, a word that gets 1 + how often the first task has run when the function returns
RANKUNIT_ORCHESTRATION_FUNCTION(look_at_the_first_task)(const OrchestrationEnv *env, const uint64_t *args, int) {
    stamp(env, args[0], 0);
    for (volatile int i = 0; i < 1'000'000; i = i + 1) {
    }
    const auto *runs = reinterpret_cast<const uint64_t *>(args[0] + 8 + 16);
    *reinterpret_cast<uint64_t *>(args[1]) = 1 + __atomic_load_n(runs, __ATOMIC_ACQUIRE);
    return 0;
}

// args: stamps
RANKUNIT_ORCHESTRATION_FUNCTION(circle_on_the_host)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t one = stamp(env, args[0], 0, "one");
    const uint64_t two = stamp(env, args[0], 1, "two");
    stamp(env, args[0], 2, "beside it");
    env->ops->add_edge(env, one, two);
    env->ops->add_edge(env, two, one);
    return 0;
}

// args: stamps: spins until the first task has run, then adds an edge from it
RANKUNIT_ORCHESTRATION_FUNCTION(edge_from_completed)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 1) return 1;
    const uint64_t first = stamp(env, args[0], 0);
    env->ops->publish(env, first);
    const auto *runs = reinterpret_cast<const volatile uint64_t *>(args[0] + 8 + 16);
    while (__atomic_load_n(runs, __ATOMIC_ACQUIRE) == 0) {
    }
    const uint64_t second = stamp(env, args[0], 1);
    env->ops->add_edge(env, first, second);
    env->ops->publish(env, second);
    return 0;
}

// args: stamps: the second of three tasks is not published
RANKUNIT_ORCHESTRATION_FUNCTION(unpublished)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t first = stamp(env, args[0], 0, "first");
    const uint64_t forgotten = stamp(env, args[0], 1, "forgotten");
    const uint64_t last = stamp(env, args[0], 2, "last");
    env->ops->add_edge(env, first, forgotten);
    env->ops->add_edge(env, forgotten, last);
    env->ops->publish(env, last);
    env->ops->publish(env, first);
    return 0;
}

// args: stamps
RANKUNIT_ORCHESTRATION_FUNCTION(in_a_circle)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t one = stamp(env, args[0], 0, "one");
    const uint64_t two = stamp(env, args[0], 1, "two");
    env->ops->add_edge(env, one, two);
    env->ops->add_edge(env, two, one);
    env->ops->publish(env, one);
    env->ops->publish(env, two);
    return 0;
}

// args: stamps, what to do wrong
RANKUNIT_ORCHESTRATION_FUNCTION(make_a_mistake)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t task = stamp(env, args[0], 0, "one");
    switch (args[1]) {
        case 0:
            rankunit_kernel(env, "no such kernel");
            break;
        case 1:
            env->ops->add_edge(env, task, task + 1);
            break;
        case 2:
            env->ops->publish(env, task);
            env->ops->publish(env, task);
            break;
        case 3: {
            OrchestrationArgument too_few[] = {rankunit_scalar(1)};
            rankunit_submit(env, rankunit_kernel(env, "put"), too_few, "short of one");
            break;
        }
        case 4:
            put(env, 64, 1, "into nowhere");
            break;
        case 5: {
            OrchestrationTask nothing{};
            nothing.size = offsetof(OrchestrationTask, file);  // as of the first version
            nothing.kernel = 99;
            env->ops->submit(env, &nothing);
            break;
        }
        case 6:
            env->ops->begin_scope(env, "none here", 0);
            break;
        case 7:
            env->ops->fail(env, "the shapes do not fit");
            break;
        default:
            return 23;
    }
    return 0;
}

// args: word that is set by a destructor
RANKUNIT_ORCHESTRATION_FUNCTION(fail_with_a_destructor_here)(const OrchestrationEnv *env, const uint64_t *args, int) {
    struct Sets {
        uint64_t address;
        ~Sets() { __atomic_store_n(reinterpret_cast<uint64_t *>(address), 1, __ATOMIC_RELEASE); }
    };
    const Sets at_the_end{args[0]};
    env->ops->fail(env, "after the destructor");
    return 0;
}

// args: word that ends it
RANKUNIT_ORCHESTRATION_FUNCTION(never_returns)(const OrchestrationEnv *, const uint64_t *args, int) {
    while (__atomic_load_n(reinterpret_cast<const uint64_t *>(args[0]), __ATOMIC_ACQUIRE) == 0) {
    }
    return 0;
}

// args: none; each operation of the runtime may end it
RANKUNIT_ORCHESTRATION_FUNCTION(never_ends)(const OrchestrationEnv *env, const uint64_t *, int) {
    for (;;) {
        rankunit_kernel(env, "put");
    }
}

// args: words x, y, z: the results depend on RAW, WAR and WAW
RANKUNIT_ORCHESTRATION_FUNCTION(hazards)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t x = args[0], y = args[1], z = args[2];
    put(env, x, 1);
    add(env, y, x, 10);    // RAW: y = 11
    put(env, x, 100);      // WAR after the add, WAW after the first put
    add(env, z, x, 1000);  // z = 1100
    put(env, z, 5);        // WAW: z = 5
    OrchestrationArgument both[] = {rankunit_inout(z, 8), rankunit_scalar(3)};
    rankunit_submit(env, rankunit_kernel(env, "scale_and_add_one"), both);  // z = 16
    return 0;
}

// args: an array of 8 words, which are written one by one, then as a whole, then in parts again
RANKUNIT_ORCHESTRATION_FUNCTION(aliases)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t array = args[0];
    for (uint64_t i = 0; i < 8; i++) put(env, array + 8 * i, i + 1);
    OrchestrationArgument all[] = {rankunit_inout(array, 64), rankunit_scalar(10)};
    rankunit_submit(env, rankunit_kernel(env, "scale_and_add_one"), all);  // array[0] = 11
    add(env, array + 24, array, 100);                                      // array[3] = array[0] + 100
    add(env, array + 32, array + 24, 1000);                                // array[4] = array[3] + 1000
    put(env, array, 7);                                                    // after those who read array[0]
    return 0;
}

// args: target, tasks, tasks of a scope: each scope sums into the target through allocated outputs
RANKUNIT_ORCHESTRATION_FUNCTION(scopes_of_tasks)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint32_t put_kernel = rankunit_kernel(env, "put");
    const uint32_t sum_kernel = rankunit_kernel(env, "sum");
    const uint64_t target = args[0];
    for (uint64_t done = 0; done < args[1]; done += args[2]) {
        const RankUnitScope scope(env, "a part");
        for (uint64_t i = 0; i < args[2]; i += 2) {
            OrchestrationArgument made[] = {rankunit_new(8), rankunit_scalar(1)};
            rankunit_submit(env, put_kernel, made);
            OrchestrationArgument summed[] = {rankunit_inout(target, 8), rankunit_in(target, 8),
                                              rankunit_in(made[0].value, 8)};
            rankunit_submit(env, sum_kernel, summed);
        }
    }
    return 0;
}

// args: words, tasks, tasks of a scope, number of words: empty tasks that write what others read
RANKUNIT_ORCHESTRATION_FUNCTION(empty_tasks)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint32_t kernel = rankunit_kernel(env, "do_nothing");
    for (uint64_t done = 0; done < args[1]; done += args[2]) {
        const RankUnitScope scope(env, "a part");
        for (uint64_t i = 0; i < args[2]; i++) {
            OrchestrationArgument arguments[] = {rankunit_inout(args[0] + 8 * ((done + i) % args[3]), 8)};
            rankunit_submit(env, kernel, arguments);
        }
    }
    return 0;
}

// args: words, tasks, what the last task does: 16 words in turn, each used by a task as the one 16 tasks before it
RANKUNIT_ORCHESTRATION_FUNCTION(repeated_tasks)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint32_t kernel = rankunit_kernel(env, "do_nothing");
    OrchestrationArgument signals[] = {rankunit_inout(args[0], 8), rankunit_scalar(1)};
    if (args[2] == 7) rankunit_submit(env, rankunit_kernel(env, "signal_cell"), signals);
    OrchestrationArgument made[] = {rankunit_new(8), rankunit_scalar(1)};
    if (args[2] == 8) rankunit_submit(env, rankunit_kernel(env, "put"), made);
    for (uint64_t first = 0; first < args[1]; first += 32) {
        const RankUnitScope scope(env, "a part");
        for (uint64_t i = first; i < first + 32 && i < args[1]; i++) {
            OrchestrationArgument arguments[] = {rankunit_inout(args[0] + 8 * (i % 16), 8), rankunit_scalar(i)};
            rankunit_submit(env, kernel, arguments);
        }
    }
    const OrchestrationCondition at_least_0{{args[0], 1, 1, 4}, KERNEL_GE, 0};
    OrchestrationArgument last[] = {rankunit_inout(args[0], 8), rankunit_scalar(0)};
    OrchestrationTask task{};
    task.size = sizeof(task);
    task.kernel = kernel;
    task.args = last;
    task.nargs = 2;
    switch (args[2]) {
        case 1:  // bytes that no task has used
            last[0] = rankunit_in(args[0] + 4, 8);
            break;
        case 2:  // an address as a scalar
            last[1] = rankunit_scalar(args[0]);
            break;
        case 3:  // no bytes
            task.nargs = 0;
            break;
        case 4:
            task.kernel = rankunit_kernel(env, "signal_cell");
            break;
        case 5: {
            const RankUnitScope by_hand(env, "by hand", true);
            env->ops->submit(env, &task);
            return 0;
        }
        case 6:
            task.waits = &at_least_0;
            task.nwaits = 1;
            break;
        default:
            break;
    }
    env->ops->submit(env, &task);
    return 0;
}

// args: bytes of each output, tasks in one scope
RANKUNIT_ORCHESTRATION_FUNCTION(large_scope)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint32_t kernel = rankunit_kernel(env, "put");
    const RankUnitScope scope(env, "layer 3");
    for (uint64_t i = 0; i < args[1]; i++) {
        OrchestrationArgument made[] = {rankunit_new(args[0]), rankunit_scalar(1)};
        rankunit_submit(env, kernel, made, "tile");
    }
    return 0;
}

// args: word, copy: tasks of a manual scope that write the same word are ordered by hand alone, the others as ever
RANKUNIT_ORCHESTRATION_FUNCTION(manual_scope)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const uint64_t word = args[0];
    put(env, word, 1);
    {
        const RankUnitScope scope(env, "by hand", true);
        const uint32_t kernel = rankunit_kernel(env, "scale_and_add_one");
        OrchestrationArgument first[] = {rankunit_inout(word, 8), rankunit_scalar(2)};
        OrchestrationTask task{};
        task.size = sizeof(task);
        task.kernel = kernel;
        task.args = first;
        task.nargs = 2;
        const uint64_t before = env->ops->submit(env, &task);  // 3
        OrchestrationArgument second[] = {rankunit_inout(word, 8), rankunit_scalar(10)};
        task.args = second;
        task.after = &before;
        task.nafter = 1;
        env->ops->submit(env, &task);  // 31
    }
    add(env, args[1], word, 0);
    return 0;
}

// args: cell; tasks of a manual scope that have no edge run at the same time, although they write the same word
RANKUNIT_ORCHESTRATION_FUNCTION(unordered_by_hand)(const OrchestrationEnv *env, const uint64_t *args, int) {
    const RankUnitScope scope(env, "by hand", true);
    OrchestrationArgument waits[] = {rankunit_inout(args[0], 4), rankunit_scalar(1)};
    rankunit_submit(env, rankunit_kernel(env, "wait_for_cell"), waits);
    OrchestrationArgument signals[] = {rankunit_inout(args[0], 4), rankunit_scalar(1)};
    rankunit_submit(env, rankunit_kernel(env, "signal_cell"), signals);
    return 0;
}

// args: word: uses an output when its scope has ended
RANKUNIT_ORCHESTRATION_FUNCTION(use_after_scope)(const OrchestrationEnv *env, const uint64_t *args, int) {
    OrchestrationArgument made[] = {rankunit_new(8), rankunit_scalar(1)};
    {
        const RankUnitScope scope(env, "short");
        rankunit_submit(env, rankunit_kernel(env, "put"), made);
    }
    add(env, args[0], made[0].value, 1);
    return 0;
}

// args: what to do wrong
RANKUNIT_ORCHESTRATION_FUNCTION(scope_mistake)(const OrchestrationEnv *env, const uint64_t *args, int) {
    switch (args[0]) {
        case 0:
            env->ops->begin_scope(env, "left open", 0);
            break;
        case 1:
            env->ops->end_scope(env);
            break;
        case 2:
            env->ops->publish(env, 1);
            break;
        default: {
            const uint64_t before = 1;
            OrchestrationArgument made[] = {rankunit_new(8), rankunit_scalar(1)};
            OrchestrationTask task{};
            task.size = sizeof(task);
            task.kernel = rankunit_kernel(env, "put");
            task.args = made;
            task.nargs = 2;
            task.after = &before;
            task.nafter = 1;
            env->ops->submit(env, &task);
        }
    }
    return 0;
}

// args: cell, word, what the first task adds to the cell: the second one waits for 2, the third one runs from 3 on
RANKUNIT_ORCHESTRATION_FUNCTION(wait_and_predicate)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    if (nargs != 3) return 1;
    if (args[2] != 0) {
        OrchestrationArgument signals[] = {rankunit_scalar(args[0]), rankunit_scalar(args[2])};
        rankunit_submit(env, rankunit_kernel(env, "signal_cell"), signals, "poster");
    }
    const OrchestrationCondition two{{args[0], 1, 1, 4}, KERNEL_GE, 2};
    const OrchestrationCondition three{{args[0], 1, 1, 4}, KERNEL_GE, 3};
    OrchestrationArgument arguments[] = {rankunit_inout(args[1], 8), rankunit_scalar(2)};
    OrchestrationTask task{};
    task.size = sizeof(task);
    task.kernel = rankunit_kernel(env, "scale_and_add_one");
    task.args = arguments;
    task.nargs = 2;
    task.name = "ffn";
    task.waits = &two;
    task.nwaits = 1;
    env->ops->submit(env, &task);
    task.waits = nullptr;
    task.nwaits = 0;
    task.predicate = &three;
    task.name = "perhaps";
    env->ops->submit(env, &task);
    return 0;
}

// args: cell, word: a task that waits for the cell, and more behind it than a ring of 4 slots holds
RANKUNIT_ORCHESTRATION_FUNCTION(blocked_by_wait)(const OrchestrationEnv *env, const uint64_t *args, int) {
    for (int i = 0; i < 10; i++) {
        const RankUnitScope scope(env, "small");
        const OrchestrationCondition posted{{args[0], 1, 1, 4}, KERNEL_GE, 1};
        OrchestrationArgument arguments[] = {rankunit_inout(args[1], 8), rankunit_scalar(2)};
        OrchestrationTask task{};
        task.size = sizeof(task);
        task.kernel = rankunit_kernel(env, "scale_and_add_one");
        task.args = arguments;
        task.nargs = 2;
        task.name = i == 0 ? "blocker" : "behind";
        task.waits = i == 0 ? &posted : nullptr;
        task.nwaits = i == 0 ? 1 : 0;
        env->ops->submit(env, &task);
    }
    return 0;
}

// args: words, (target, its words, source, its words) as indices for each task: in scopes of 4 tasks
RANKUNIT_ORCHESTRATION_FUNCTION(program)(const OrchestrationEnv *env, const uint64_t *args, int nargs) {
    const uint32_t kernel = rankunit_kernel(env, "mix");
    for (int first = 1; first < nargs; first += 16) {
        const RankUnitScope scope(env, "four");
        for (int at = first; at < nargs && at < first + 16; at += 4) {
            const uint64_t target = args[0] + 8 * args[at], source = args[0] + 8 * args[at + 2];
            OrchestrationArgument mixed[] = {rankunit_inout(target, 8 * args[at + 1]), rankunit_scalar(args[at + 1]),
                                             rankunit_in(source, 8 * args[at + 3]), rankunit_scalar(args[at + 3])};
            rankunit_submit(env, kernel, mixed);
        }
    }
    return 0;
}
