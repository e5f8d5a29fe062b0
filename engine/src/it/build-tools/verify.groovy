import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def report = { folder -> new JsonSlurper().parse(new File(basedir, "target/$folder/rankunit/report.json")).tests }
def suites = { folder ->
    new File(basedir, "target/$folder/surefire-reports").listFiles()
            .findAll { it.name.endsWith('.xml') }
            .collect { new XmlSlurper().parse(it) }
}

// The rerun asks for the whole test again, and for nothing else; Surefire calls it flaky.
def rerun = report('rerun')
def flaky = rerun.findAll { it.name == 'FlakyTest.failsOnRank1TheFirstTime' }
assert flaky*.result == ['failed', 'passed']
assert flaky*.attempt == [1, 2]
assert flaky[1].ranks*.outcome == ['passed', 'passed']
assert rerun.findAll { it.name == 'FlakyTest.passes' }*.result == ['passed']
assert suites('rerun')[0].testcase.find { it.flakyFailure.size() > 0 }.@name.text().startsWith('failsOnRank1TheFirstTime')

// Each fork is a process of its own; together they write one report, in which nothing is twice. A fork may end with its
// class or take the next, and Jupiter may run what is left to it in parallel.
['forks', 'parallel'].each { folder ->
    def tests = report(folder)
    assert tests.collect { "$it.name $it.variant.ranks $it.result".toString() }.sort() == [
        'FirstTest.onDevices 2 passed',
        'FirstTest.onDevices 3 passed',
        'SecondTest.onDevices 2 passed',
        'ThirdTest.onDevices 2 passed',
        'ThirdTest.repeatedOnDevices repetition 1 of 3 2 passed',
        'ThirdTest.repeatedOnDevices repetition 2 of 3 2 passed',
        'ThirdTest.repeatedOnDevices repetition 3 of 3 2 passed',
    ]
    assert tests*.attempt.toSet() == [1] as Set
    def counts = suites(folder).collectEntries { suite ->
        assert suite.testcase.size() == suite.@tests.toInteger()
        assert suite.@failures.toInteger() + suite.@errors.toInteger() + suite.@skipped.toInteger() == 0
        [suite.@name.text(), suite.@tests.toInteger()]
    }
    assert counts == ['org.example.FirstTest': 3, 'org.example.SecondTest': 1, 'org.example.ThirdTest': 7]
    def written = []
    new File(basedir, "target/$folder").eachFileRecurse { if (it.name == 'report.json') written << it }
    assert written.size() == 1
}

// Inside a suite the ids begin with the suite's engine.
def suite = report('suite')
assert suite.size() == 3
assert suite.every { it.uniqueId.startsWith('[engine:junit-platform-suite]') && it.result == 'passed' }
assert suites('suite').sum { it.@tests.toInteger() } == 4

// A class template runs as a whole, and each invocation of each test has its result.
def template = report('template')
assert template*.result == ['passed'] * 17
assert template.count { it.name.startsWith('ParametersTest') } == 4
assert template.count { it.name.startsWith('NestedParametersTest.Inner') } == 4
assert template.findAll { it.name.startsWith('TemplatesTest.dynamic') }*.displayName.sort() ==
        ['size 1 of 1', 'size 1 of 2', 'size 2 of 1', 'size 2 of 2']
assert template.count { it.name.startsWith('TemplatesTest.Inner.ofAField') } == 4
assert suites('template').sum { it.@tests.toInteger() } == 17

// Classes that ran at the same time: each test has its own output, and nobody else's.
def sameTime = suites('same-time').collectEntries { [it.@name.text(), it] }
assert report('same-time')*.result == ['passed'] * 3
assert sameTime['org.example.LeftTest'].testcase.'system-out'.text().readLines()*.trim().findAll() == ['[rank 0] this is left']
assert sameTime['org.example.RightTest'].testcase.'system-out'.text().readLines()*.trim().findAll() == ['[rank 0] this is right']
assert sameTime['org.example.InheritedTest'].@tests == '2'

// A class template runs as a whole: a method of it cannot be a device test by itself, and says so.
def halves = suites('half')
def half = halves.findAll { it.@name.text().contains('HalfMarkedTest') }
assert half.sum { it.@tests.toInteger() } == 3
assert half.collectMany { it.testcase.collect { it } }.count { it.failure.size() + it.error.size() > 0 } == 1
def said = half.collectMany { it.testcase.collect { it } }.find { it.failure.size() + it.error.size() > 0 }
assert (said.failure.text() + said.error.text()).contains('org.example.HalfMarkedTest.onDevices')
assert (said.failure.text() + said.error.text()).contains('Put @DeviceCount or @Platforms on the class')

// JUnit 4 runs its test on no device, and passes; ours beside it fails and says so.
def old = halves.find { it.@name.text() == 'org.example.OldTest' }
assert old.testcase.collect { it.failure.size() + it.error.size() }.sort() == [0, 1]
assert old.testcase.error.text().contains('This is a test of JUnit 4 (@org.junit.Test), which would run once, on no device.')
