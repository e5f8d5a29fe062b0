import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

// The profile 'matrix' says which file lists the pairs; without it, it is the ordinary one.
def list = new File(basedir, binding.hasVariable('cells') ? cells : 'invoker.properties').text
def asked = (list =~ /(?m)^cell\.\d+ = (junit-\S+-surefire-(\S+))$/).collect { it.drop(1) }
assert asked.size() == list.count('surefire-')
def folders = asked.collect { new File(basedir, "${it[0]}/target") }
def log = new File(basedir, 'build.log').text
assert (log =~ /surefire(?:-plugin)?:(\S+):test/).collect { it[1] }.sort() == asked*.getAt(1).sort()

// The same everywhere, and of every ordinary test what it is called without us.
def mixed = '''
    aDisabledDeviceTest(RankContext) skipped
    aDisabledOrdinaryTest skipped
    anOrdinaryTestRunsOnNoRank
    dynamic()[1]
    dynamic()[2]
    dynamicOnRanks(RankContext)[1]
    dynamicOnRanks(RankContext)[2]
    everyCountIsATestOfItsOwn(RankContext) [1 rank]
    everyCountIsATestOfItsOwn(RankContext) [2 ranks]
    everyInvocationRunsOnEveryRank(int, RankContext)[1]
    everyInvocationRunsOnEveryRank(int, RankContext)[2]
    everyInvocationRunsOnEveryRank(int, RankContext)[3]
    everyOrdinaryInvocation(int)[1]
    everyOrdinaryInvocation(int)[2]
    everyOrdinaryInvocation(int)[3]
    everyRankIsAProcess(RankContext)
    repeated()[1]
    repeated()[2]
    repeatedOnRanks(RankContext)[1]
    repeatedOnRanks(RankContext)[2]
    theClassPathHoldsNoJacksonButTheUsersOwn
    theClassPathOfARankHoldsNoJacksonEither(RankContext)
'''
def expected = [
    'TEST-org.example.MixedTest.xml':
        mixed.readLines()*.trim().findAll().collect { 'org.example.MixedTest ' + it } + [
            'org.example.MixedTest$Inside aNestedDeviceTest(RankContext)',
            'org.example.MixedTest$Inside aNestedOrdinaryTest',
        ],
    'TEST-org.example.OrdinaryTest.xml': ['org.example.OrdinaryTest runsOnTheJUnitAskedFor'],
    'TEST-org.example.RanksOnlyTest.xml': [
        'org.example.RanksOnlyTest lifecycleMethodsRunOnEveryRank(RankContext)',
        'org.example.RanksOnlyTest runsOnTheJUnitAskedFor(RankContext)',
    ],
]

def named = { test -> "${test.@classname} ${test.@name}${test.skipped.size() > 0 ? ' skipped' : ''}".toString() }
for (folder in folders) {
    def files = new File(folder, 'surefire-reports').listFiles().findAll { it.name.endsWith('.xml') }
    assert files*.name.sort() == expected.keySet().sort()
    files.each { file ->
        def suite = new XmlSlurper().parse(file)
        def tests = suite.testcase.collect(named)
        assert tests.sort() == expected[file.name]
        assert suite.@tests == tests.size().toString()
        assert suite.properties.property.find { it.@name == 'java.home' }.@value == System.getProperty('java.home')
        assert suite.@failures == '0'
        assert suite.@errors == '0'
        assert suite.@skipped == tests.count { it.endsWith(' skipped') }.toString()
    }

    def reports = []
    folder.eachFileRecurse { if (it.name == 'report.json') reports << it }
    assert reports*.parentFile*.name == ['rankunit']
    def report = new JsonSlurper().parse(reports[0])
    assert report.tests.collect { "$it.name $it.variant.ranks $it.result".toString() }.sort() == [
        'MixedTest.Inside.aNestedDeviceTest 2 passed',
        'MixedTest.aDisabledDeviceTest 2 skipped',
        'MixedTest.dynamicOnRanks a 2 passed',
        'MixedTest.dynamicOnRanks b 2 passed',
        'MixedTest.everyCountIsATestOfItsOwn 1 passed',
        'MixedTest.everyCountIsATestOfItsOwn 2 passed',
        'MixedTest.everyInvocationRunsOnEveryRank [1] 1 2 passed',
        'MixedTest.everyInvocationRunsOnEveryRank [2] 2 2 passed',
        'MixedTest.everyInvocationRunsOnEveryRank [3] 3 2 passed',
        'MixedTest.everyRankIsAProcess 2 passed',
        'MixedTest.repeatedOnRanks repetition 1 of 2 2 passed',
        'MixedTest.repeatedOnRanks repetition 2 of 2 2 passed',
        'MixedTest.theClassPathOfARankHoldsNoJacksonEither 2 passed',
        'RanksOnlyTest.lifecycleMethodsRunOnEveryRank 2 passed',
        'RanksOnlyTest.runsOnTheJUnitAskedFor 2 passed',
    ]
    report.tests.findAll { it.result == 'passed' }.each { test ->
        assert test.ranks*.rank == (0..<test.variant.ranks)
        assert test.ranks*.outcome.every { it == 'passed' }
        assert test.devices.toSet().size() == test.variant.ranks
    }

    def processes = new File(folder, 'processes').list().collect { it.split('-') }
    assert processes*.getAt(1).sort() == ['0', '1']
    assert processes*.getAt(2).toSet().size() == 2
}
