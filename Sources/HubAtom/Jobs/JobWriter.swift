package import HubModel
package import HubVocabulary

/// Writes bulk jobs as Atom entries and feeds, on one line, members in the order that readers insist
/// on.
///
/// Source: REST §13.
package enum JobWriter {
    /// Prefix and all: one client compares whole names.
    private static let arrays = "http://schemas.microsoft.com/2003/10/Serialization/Arrays"

    /// One job as a document.
    package static func entry(_ job: BulkJob, of hub: HubName, url: String) -> [UInt8] {
        var output = XMLOutput()
        write(job, hub, url: url, isRoot: true, into: &output)
        return output.bytes
    }

    /// All jobs as a document.
    package static func feed(
        _ jobs: [(BulkJob, url: String)],
        of hub: HubName,
        url: String,
        now: Timestamp
    ) -> [UInt8] {
        var output = XMLOutput()
        output.markup("<feed xmlns=\"\(XMLNamespace.atom)\">")
        output.markup("<title type=\"text\">jobs</title>")
        output.element("id", text: url)
        output.markup("<updated>\(CivilTime(now).iso)</updated>")
        RegistrationWriter.writeLink("self", url, into: &output)
        for (job, url) in jobs { write(job, hub, url: url, isRoot: false, into: &output) }
        output.markup("</feed>")
        return output.bytes
    }

    private static func write(
        _ job: BulkJob,
        _ hub: HubName,
        url: String,
        isRoot: Bool,
        into output: inout XMLOutput
    ) {
        output.markup(isRoot ? "<entry xmlns=\"\(XMLNamespace.atom)\">" : "<entry>")
        output.element("id", text: url)
        output.markup("<title type=\"text\">")
        output.text(job.id.text)
        output.markup("</title><published>\(CivilTime(job.created).iso)</published>")
        output.markup("<updated>\(CivilTime(job.updated).iso)</updated>")
        RegistrationWriter.writeLink("self", url, into: &output)
        output.markup("<content type=\"application/xml\"><NotificationHubJob")
        output.markup(" xmlns=\"\(XMLNamespace.connect)\"")
        output.markup(" xmlns:i=\"\(XMLNamespace.instance)\">")
        writeMembers(job, hub, into: &output)
        output.markup("</NotificationHubJob></content></entry>")
    }

    private static func writeMembers(
        _ job: BulkJob,
        _ hub: HubName,
        into output: inout XMLOutput
    ) {
        let report = job.report
        output.element("JobId", text: job.id.text)
        if report.permille > 0 {
            let tenths = report.permille % 10
            output.element("Progress", text: "\(report.permille / 10).\(tenths)")
        }
        output.element("Type", text: job.request.kind.word)
        if report.status != .started { output.element("Status", text: report.status.word) }
        output.element("OutputContainerUri", text: job.request.output)
        output.element("ImportFileUri", text: job.request.input ?? "")
        if !job.request.properties.isEmpty {
            let properties = job.request.properties.map { ($0.name, $0.value) }
            write(properties, as: "InputProperties", into: &output)
        }
        output.element("Failure", text: report.failure)
        if report.status.isFinal {
            let files = [
                ("OutputFilePath", BulkJob.outputFile), ("FailedFilePath", BulkJob.failedFile),
            ]
            let values = files.map { key, file in
                (Array(key.utf8), Array(path(of: file, job, hub).utf8))
            }
            write(values, as: "OutputProperties", into: &output)
        }
        output.element("CreatedAt", text: CivilTime(job.created).isoMilliseconds)
        output.element("UpdatedAt", text: CivilTime(job.updated).isoMilliseconds)
    }

    private static func write(
        _ map: [(key: [UInt8], value: [UInt8])],
        as name: String,
        into output: inout XMLOutput
    ) {
        output.markup("<\(name) xmlns:d3p1=\"\(arrays)\">")
        for (key, value) in map {
            output.markup("<d3p1:KeyValueOfstringstring>")
            output.element("d3p1:Key", key)
            output.element("d3p1:Value", value)
            output.markup("</d3p1:KeyValueOfstringstring>")
        }
        output.markup("</\(name)>")
    }

    /// Below the output's place; the doubled slash is what clients know.
    private static func path(of file: String, _ job: BulkJob, _ hub: HubName) -> String {
        let folder = job.resultFolder(of: hub)
        return "\(folder[0])//\(folder[1])/\(folder[2])/\(file)"
    }
}
