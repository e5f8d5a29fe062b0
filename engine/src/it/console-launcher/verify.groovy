import groovy.json.JsonSlurper

// The profile 'matrix' says which file lists the versions; without it, it is the ordinary one.
def list = new File(basedir, binding.hasVariable('cells') ? cells : 'invoker.properties').text
def asked = (list =~ /-Dplatform\.version=(\S+)/).collect { it[1] }
def folders = new File(basedir, 'target').listFiles()
assert folders*.name.sort() == asked.collect { "platform-$it".toString() }.sort()

def count = { text, what -> (text =~ /\[\s*(\d+) $what\s*\]/)[0][1].toInteger() }
for (folder in folders) {
    def exitCodes = new Properties()
    new File(folder, 'exit-codes.properties').withInputStream { exitCodes.load(it) }
    assert exitCodes == [PassingTest: '0', FailingTest: '1']

    def passing = new File(folder, 'PassingTest.txt').text
    assert count(passing, 'tests found') == 5
    assert count(passing, 'tests successful') == 5
    assert count(passing, 'containers failed') == 0
    def failing = new File(folder, 'FailingTest.txt').text
    assert count(failing, 'tests found') == 2
    assert count(failing, 'tests successful') == 1
    assert count(failing, 'tests failed') == 1
    assert failing.contains('FailingTest.failsOnTheLastRank [2 ranks, a2a3sim] failed on rank 1')

    def report = { test -> new JsonSlurper().parse(new File(folder, "$test/report.json")).tests }
    assert report('PassingTest').collect { "$it.name $it.variant.ranks $it.result".toString() }.sort() == [
        'PassingTest.onOneAndOnTwoRanks 1 passed',
        'PassingTest.onOneAndOnTwoRanks 2 passed',
        'PassingTest.onTwoRanks [1] 1 2 passed',
        'PassingTest.onTwoRanks [2] 2 2 passed',
    ]
    assert report('FailingTest').collect { "$it.name $it.result".toString() } == ['FailingTest.failsOnTheLastRank failed']
}
