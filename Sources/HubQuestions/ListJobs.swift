package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads all bulk jobs that are kept, the newest first.
package struct ListJobs: HubQuestion {
    /// Makes the question.
    package init() {}

    package func answer(_ hub: HubView) throws(Refusal) -> [BulkJob] {
        hub.jobs.all
    }
}
