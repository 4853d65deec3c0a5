import HubModel
import HubVocabulary

extension NotificationDraft {
    /// Refuses a template send whose body was not read as a property bag.
    func requireProperties() throws(Refusal) {
        guard format != .template || properties != nil else {
            let reason = "a template send takes a JSON object of strings"
            throw .invalid(field: "body", reason: reason)
        }
    }
}
