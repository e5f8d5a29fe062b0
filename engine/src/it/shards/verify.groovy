import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def report = { folder -> new JsonSlurper().parse(new File(basedir, "target/$folder/rankunit/report.json")).tests }
def suites = { folder ->
    new File(basedir, "target/$folder/surefire-reports").listFiles()
            .findAll { it.name.endsWith('.xml') }
            .collect { new XmlSlurper().parse(it) }
}
def nameOf = { test -> "$test.name $test.displayName".toString() }
def ran = { folder -> report(folder).findAll { it.result != 'skipped' }.collect(nameOf) }
def durations = { file -> new JsonSlurper().parse(new File(basedir, file)).classes }

def everything = ran('all').sort()
assert everything.size() == 6
assert durations('durations.json').keySet() ==
        ['Alpha', 'Beta', 'Flaky', 'Gamma', 'Long'].collect { "org.example.${it}Test".toString() } as Set
// Nothing is left in the project but what was asked for.
assert basedir.list().findAll { it.contains('durations') || it.contains('lock') }.sort() == ['durations.json', 'given-durations.json']

// Every test has a result in each shard, and runs in one. The long class is alone, as it is said to take more than all the others.
[['first', 'second'], ['rerun-first', 'rerun-second']].each { pair ->
    pair.each { folder ->
        assert report(folder).findAll { it.attempt == 1 }.collect(nameOf).sort() == everything
        assert suites(folder).sum { it.@tests.toInteger() } == 6
        def other = folder.endsWith('first') ? 'in shard 2 of 2 (rankunit.shard = 1/2)' : 'in shard 1 of 2 (rankunit.shard = 2/2)'
        assert report(folder).findAll { it.result == 'skipped' }*.reason.toSet() == [other] as Set
    }
    def once = pair.collectMany { report(it).findAll { test -> test.attempt == 1 && test.result != 'skipped' }.collect(nameOf) }
    assert once.sort() == everything
}
def shardOfLong = ['first', 'second'].find { folder -> ran(folder).any { it.startsWith('LongTest') } }
assert ran(shardOfLong).every { it.startsWith('LongTest') }

// A shard leaves the file alone, though forks took class after class, and keeps what it measured for itself.
def own = ['first', 'second'].collect { durations("target/$it/rankunit/durations.json") }
assert own*.keySet().flatten().sort() == durations('given-durations.json').keySet().sort()
assert durations('given-durations.json').values().every { it.values().every { test -> test.micros.size() == 1 } }
assert own.every { it.values().every { tests -> tests.values().every { test -> test.micros.size() == 2 } } }
assert (new File(basedir, 'build.log').text =~ /shard 1 of 2: classes are split by .+given-durations.json, checksum [0-9a-f]{8}/).find()

// Surefire asks for the test that failed alone: it stays in its shard, and is run again rather than skipped.
def flaky = ['rerun-first', 'rerun-second'].collect { report(it).findAll { test -> test.name.startsWith('FlakyTest') }*.result }
assert flaky.sort() == [['failed', 'passed'], ['skipped']]

// Surefire says that these two failed, and no other.
def failed = (new File(basedir, 'build.log').text =~ /(?m)^(?:\[ERROR\] )?See .+\/target\/(.+)\/surefire-reports for the individual/).collect { it[1] }
assert failed == ['required', 'no-slice']

// The numbers are those of a skipped test.
def required = report('required').collectEntries { [it.variant.ranks + ' ' + it.result, it.reason] }
assert required.keySet() == ['1 passed', '2 failed'] as Set
assert required['2 failed'].contains('needs 2 devices, a2a3 has 0, a5 has 0, a2a3sim has 1, a5sim has 1')

// A job uses the devices of its slice only, and what needs more is skipped with the numbers.
def slice = report('slice').groupBy { it.result }
assert slice.passed*.devices.toSet() == [[5]] as Set
assert slice.skipped*.reason.toSet() == ['needs 2 devices, this slice has 1 (rankunit.devices = "5")'] as Set
def text = suites('no-slice').collectMany { it.depthFirst().findAll { node -> node.name() == 'error' || node.name() == 'failure' } }
        .collect { it.@message.text() }
assert !text.isEmpty()
assert text.every { it.contains('rankunit.devices = "14-17": the simulator has no device 16-17, it has 0-15.') }
