/// The result of one group commit.
///
/// The two parts are separate: refused changes do not refuse records.
package struct CommitResult: Sendable {
    /// nil when every change is durable; otherwise none is.
    package var changes: StoreError?
    /// nil when every record is durable; otherwise none is.
    package var records: StoreError?

    /// Makes a result.
    package init(changes: StoreError? = nil, records: StoreError? = nil) {
        self.changes = changes
        self.records = records
    }
}
