import groovy.json.JsonSlurper
import groovy.xml.XmlSlurper

def suite = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.WrongOnOneRankTest.xml'))
assert suite.@tests == '2'
assert suite.@failures.toInteger() + suite.@errors.toInteger() == 1
def failed = suite.testcase.find { it.@name.text().startsWith('theLastRankComputesOneWrongValue') }
def told = failed.failure.text()
def log = new File(basedir, 'build.log').text

[told, log].each { text ->
    assert text.contains('rank 1')
    assert text.contains('[5]')
    assert text.contains('expected 5.0')
    assert text.contains('was 55.0')
}

def report = new JsonSlurper().parse(new File(basedir, 'target/rankunit/report.json'))
def test = report.tests.find { it.name.startsWith('WrongOnOneRankTest') && it.result == 'failed' }
assert test.ranks*.outcome == ['passed', 'failed']

// The type is the class of the cause; an assertion is a failure and an exception an error, on one rank and on all. What XML cannot
// hold is shown as Java would write it.
def odd = new XmlSlurper().parse(new File(basedir, 'target/surefire-reports/TEST-org.example.OddTextTest.xml'))
def shown = '\\u001b[31mred\\u001b[0m nul \\u0000 no character \\ufffe half \\ud800 end of data ]]> rocket \ud83d\ude80'
def caseOf = { name -> odd.testcase.find { it.@name.text().startsWith(name) } }
['OnOneRank', 'OnAllRanks'].each { ranks ->
    assert caseOf("assertion$ranks").failure.@type.text() == 'org.opentest4j.AssertionFailedError'
    assert caseOf("exception$ranks").error.@type.text() == 'java.lang.IllegalStateException'
    [caseOf("assertion$ranks").failure, caseOf("exception$ranks").error].each { problem ->
        assert problem.@message.text().contains(shown)
        assert problem.text().contains(shown)
    }
}
assert caseOf('assumption').skipped.text().contains(shown)
// What has half a surrogate pair is printed with a question mark for it, by Java itself.
assert caseOf('printsAndReports').'system-out'.text().contains('\\u001b[31mred\\u001b[0m nul \\u0000 no character \\ufffe half ? end')
assert odd.@tests == '7'
