import HubModel
import HubTags
import HubTemplates
import HubVocabulary

extension NotificationDraft {
    /// Bytes that it brings of its request's body, about.
    var bodyBytes: Int {
        let named =
            switch target {
            case .broadcast, .slots: 0
            case .tags(let expression): expression.source.count
            case .handles(let handles): handles.reduce(0) { $0 + $1.count }
            }
        let passed = headers.reduce(0) { $0 + $1.name.count + $1.value.count }
        return body.count + named + contentType.count + passed
    }
}
