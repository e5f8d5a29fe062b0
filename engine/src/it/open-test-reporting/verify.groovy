import groovy.xml.XmlSlurper

def reports = []
new File(basedir, 'target/platform').eachFileRecurse { if (it.name.endsWith('.xml')) reports << it }
def report = reports.find { it.text.contains('[engine:rankunit]') }
def events = new XmlSlurper().parse(report)

def started = events.'**'.findAll { it.name() == 'started' && it.'**'.any { n -> n.text().contains('[engine:rankunit]') } }
def idOf = { name -> started.find { it.@name.text() == name }.@id.text() }
def finished = { name -> events.'**'.find { it.name() == 'finished' && it.@id.text() == idOf(name) } }
assert finished('passes()').result.@status == 'SUCCESSFUL'
assert finished('fails(RankContext)').result.@status == 'FAILED'

// The logs of both ranks are attached to the failed test, and are where the report says.
def files = events.'**'.findAll { it.name() == 'reported' && it.@id.text() == idOf('fails(RankContext)') }
        .collectMany { it.'**'.findAll { n -> n.name() == 'file' }*.@path*.text() }
assert files.size() == 2
files.eachWithIndex { path, rank ->
    def log = report.parentFile.toPath().resolve(path).normalize().toFile()
    assert log.text.contains("about to fail on rank $rank")
}

// What XML cannot hold is shown as Java would write it: in names, messages, entries, and what was printed.
def odd = '\\u001b[31mred nul \\u0000 no character \\ufffe half \\ud800 end of data ]]>'
assert started.any { it.@name.text() == odd }
assert report.getText('UTF-8').count('\\ufffe') >= 4
return true
