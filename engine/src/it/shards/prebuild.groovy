import groovy.json.JsonOutput
import java.time.LocalDate

// How long the classes took, by which they are split: measured times would depend on what else this machine does. The date is that
// of today, since old ones are not used.
def took = { ranks, seconds ->
    [platform: 'a2a3sim', ranks: ranks, last: LocalDate.now().toString(), micros: [seconds * 1_000_000]]
}
def of = { tests -> tests.collectEntries { name, seconds -> [name, took(name.contains('[1 rank') ? 1 : 2, seconds)] } }
def classes = [
    AlphaTest: ['beside its tests [2 ranks, a2a3sim]': 1, 'method:meets(org.rankunit.RankContext) [2 ranks, a2a3sim]': 1],
    BetaTest: ['beside its tests [2 ranks, a2a3sim]': 1, 'method:meets(org.rankunit.RankContext) [2 ranks, a2a3sim]': 1],
    FlakyTest: ['beside its tests [2 ranks, a2a3sim]': 1,
                'method:failsTheFirstTimeIfItIsTo(org.rankunit.RankContext) [2 ranks, a2a3sim]': 1],
    GammaTest: ['beside its tests [2 ranks, a2a3sim]': 1, 'method:meets(org.rankunit.RankContext) [2 ranks, a2a3sim]': 1],
    LongTest: ['beside its tests [1 rank, a2a3sim]': 1, 'beside its tests [2 ranks, a2a3sim]': 1,
               'method:takesItsTime(org.rankunit.RankContext) [1 rank, a2a3sim]': 1,
               'method:takesItsTime(org.rankunit.RankContext) [2 ranks, a2a3sim]': 100]]
def starts = ['[1 rank, a2a3sim]': took(1, 1), '[2 ranks, a2a3sim]': took(2, 1)]
new File(basedir, 'given-durations.json').text = JsonOutput.toJson(
        [version: 1, classes: classes.collectEntries { name, tests -> ["org.example.$name".toString(), of(tests)] }, starts: starts])
true
