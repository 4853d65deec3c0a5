package import HubDirectory
package import HubModel
package import HubVocabulary

/// Reads the bulk job with an id.
package struct GetJob: HubQuestion {
    /// Its id.
    package let id: JobID

    /// Makes the question.
    package init(_ id: JobID) {
        self.id = id
    }

    package func answer(_ hub: HubView) throws(Refusal) -> BulkJob {
        guard let found = hub.jobs[id] else { throw .jobNotFound }
        return found
    }
}
