package import HubModel
import HubTags
package import HubTemplates
import HubVocabulary

/// One registration of a sample, and what it would get.
package struct RegistrationReport: Encodable, Sendable {
    /// Bytes of `text`.
    package private(set) var bytes: Int?
    /// The beginning; the whole is a secret.
    package private(set) var handle: String
    /// Headers that the template adds.
    package private(set) var headers: [String: String]?
    /// Its external id.
    package private(set) var id: String
    /// `native` or `template`.
    package private(set) var kind: String
    /// The word of its platform.
    package private(set) var platform: String
    /// Why nothing would be delivered.
    package private(set) var problem: String?
    /// Its tags as they are now.
    package private(set) var tags: [String]
    /// The text it would get; nil without one.
    package private(set) var text: String?

    /// A registration without a text.
    package init(_ registration: Registration) {
        let content = registration.content
        handle = Self.masked(content.handle)
        id = String(decoding: registration.id, as: UTF8.self)
        kind = content.template == nil ? "native" : "template"
        platform = content.platform.format
        let all = registration.tags
        tags = (0..<all.count).map { String(decoding: all.bytes[all.range(at: $0)], as: UTF8.self) }
    }

    /// Adds what the registration's template becomes.
    package mutating func render(_ registration: Registration, _ properties: PropertyBag) {
        guard let template = registration.template?.compiled else {
            problem = "The template cannot be read."
            return
        }
        let variables = registration.content.pushVariables
        let rendered = template.render(
            properties,
            variables: variables.isEmpty ? nil : PropertyBag(variables)
        )
        guard !rendered.isTooLarge else {
            problem = "The rendered text is too large."
            return
        }
        show(rendered.body)
        guard !rendered.headers.isEmpty else { return }
        headers = Dictionary(
            rendered.headers.map {
                (
                    String(decoding: $0.name, as: UTF8.self),
                    String(decoding: $0.value, as: UTF8.self)
                )
            },
            uniquingKeysWith: { first, _ in first }
        )
    }

    /// Adds a payload as it is.
    package mutating func show(_ payload: [UInt8]) {
        bytes = payload.count
        text = String(decoding: payload, as: UTF8.self)
    }

    /// The first four bytes of a long handle; nothing of a short one.
    private static func masked(_ handle: [UInt8]) -> String {
        let shown = handle.count >= 16 ? handle.prefix(4) : []
        return "\(String(decoding: shown, as: UTF8.self))…"
    }
}
