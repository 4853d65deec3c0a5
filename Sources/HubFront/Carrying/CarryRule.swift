package import HubREST

/// Whether a request may go to the next leader after it went to one that was lost with it.
///
/// Source: Decisions/AnyNodeServes.
package enum CarryRule: Hashable, Sendable {
    /// It only asks, or says the same when it is said twice.
    case always
    /// A send: its `Idempotency-Key` tells the next leader that it was there.
    case withKey
    /// Its outcome cannot be told.
    case never

    /// Operations that change something, and change no more when they are carried out twice.
    private static let settling: Set<String> = [
        "putRegistration", "putInstallation", "deleteInstallation", "changeSettings", "previewSend",
    ]

    /// Decides by the row that a request means; nil is one of the console, or none at all.
    ///
    /// `isConditional` says whether it has `If-Match`, which holds once.
    package init(
        _ row: RouteRow?,
        method: String,
        target: RequestTarget,
        isConditional: Bool
    ) {
        self =
            if method == "GET" || method == "HEAD" {
                .always
            } else if let row, Self.takesKey(row) {
                // The outcome of a test is told once.
                target.flag("test") ? .never : .withKey
            } else if let row, Self.settling.contains(row.name), !isConditional {
                .always
            } else {
                .never
            }
    }

    private static func takesKey(_ row: RouteRow) -> Bool {
        row.inputs.contains { $0.place == .header && $0.name == "Idempotency-Key" }
    }
}
