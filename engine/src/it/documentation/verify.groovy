import groovy.xml.XmlSlurper

// Each test of the documentation has run. Those of docs/failures.md fail as it says; one needs a cluster.
def failing = ['org.example.OneRankFailsTest']
def skipped = ['org.example.writingtests.TwoNodesTest']

def tests = []
new File(basedir, 'src/test/java').eachFileRecurse {
    if (it.name.endsWith('.java') && it.text =~ /@(Parameterized)?Test\b/) {
        tests << (it.path - new File(basedir, 'src/test/java/').path).replaceFirst('^/', '').replace('/', '.') - '.java'
    }
}
assert tests.size() > 25
def suites = tests.collectEntries { [it, new XmlSlurper().parse(new File(basedir, "target/surefire-reports/TEST-${it}.xml"))] }
suites.each { name, suite ->
    assert suite.@tests.toInteger() > 0
    assert suite.@errors == '0'
    assert (suite.@failures.toInteger() > 0) == (name in failing): "${name} ${suite.testcase.failure.text()}"
    assert (suite.@skipped.toInteger() > 0) == (name in skipped): name
}

// The message on the page is that of the test. Barriers are counted from the start of the group.
def unnumbered = { it.replaceAll(/barrier #\d+/, 'barrier') }
def page = new File(basedir, '../../../../docs/failures.md').text
def shown = unnumbered((page =~ /(?ms)^```\n(OneRankFailsTest\..*?)^```$/)[0][1])
def message = unnumbered(suites['org.example.OneRankFailsTest'].testcase.failure.@message.text())
shown.readLines().findAll { it }.each { assert message.contains(it) }
return true
