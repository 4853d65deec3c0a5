import HubModel

extension LaneCause {
    /// The cause in some words; the service's own among them.
    package var sentence: String {
        switch self {
        case .throttled(let reason): "the service asks for a pause\(Self.told(reason))"
        case .unavailable(let reason): "the service is not there\(Self.told(reason))"
        case .credential(let outcome, let reason):
            "the credential is refused: \(outcome.name)\(Self.told(reason))"
        case .brake: "most handles are refused: is it another app or environment?"
        case .store: "the store does not take the mark"
        }
    }

    private static func told(_ reason: String) -> String { reason.isEmpty ? "" : ": \(reason)" }
}
