/// A send that was carried out, and for whom it was.
struct AuditedSend: Sendable {
    let record: SendRecord
    let audience: BenchAudience
}
