package import HubModel

extension NotificationDraft {
    /// Whether a registration's platform and kind are those that the draft is for.
    package func isFormat(of registration: Registration) -> Bool {
        format.isFormat(of: registration)
    }
}
