package import HubVocabulary

/// A bulk job of a hub.
///
/// Source: REST §13.
package struct BulkJob: Hashable, Sendable {
    /// Its name.
    package let id: JobID
    /// The caller's request.
    package let request: JobRequest
    /// When it was asked for.
    package let created: Timestamp
    /// When it last changed.
    package var updated: Timestamp
    /// How far it is.
    package var report: JobReport

    /// Makes a job that waits.
    package init(id: JobID, request: JobRequest, created: Timestamp) {
        self.id = id
        self.request = request
        self.created = created
        updated = created
        report = JobReport(status: .started)
    }

    /// The folder of its results below the output's place: namespace, hub, job.
    package func resultFolder(of hub: HubName) -> [String] {
        [Self.namespace, hub.description, id.text]
    }

    /// The name of the namespace in the paths of results.
    package static let namespace = "belfry"
    /// The file of what was carried out.
    package static let outputFile = "Output.txt"
    /// The file of the lines that were refused, each behind the reason.
    package static let failedFile = "Failed.txt"
}
