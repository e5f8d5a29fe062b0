import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def built = [new File(basedir, 'target'), new File(basedir, 'target/junit-6')]

built.each { folder ->
    def suite = new XmlSlurper().parse(new File(folder, 'surefire-reports/TEST-org.example.MixedTest.xml'))
    assert suite.@tests == '7'
    assert suite.@failures == '0'
    assert suite.@errors == '0'
    assert suite.@skipped == '0'
    assert suite.testcase.findAll { it.@name.text().startsWith('everyInvocationRunsOnEveryRank') }.size() == 3

    def report = new JsonSlurper().parse(new File(folder, 'rankunit/report.json'))
    assert report.tests.size() == 5
    report.tests.each { test ->
        assert test.result == 'passed'
        assert test.ranks*.rank == [0, 1]
        assert test.ranks*.outcome == ['passed', 'passed']
        assert test.devices.toSet().size() == 2
    }
}

def processes = new File(basedir, 'target/processes').list().collect { it.split('-') }
assert processes*.getAt(1).sort() == ['0', '0', '1', '1']
assert processes*.getAt(2).toSet().size() == 2 * built.size()
