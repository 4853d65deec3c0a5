public import HubVocabulary

/// A registration as the hub answers it.
public struct RegistrationAnswer: Equatable, Sendable {
    /// The registration's id; with a Listen key it is what protects the registration.
    public var id: String
    /// Its version, for `If-Match`.
    public var etag: String
    /// Its tags as stored.
    public var tags: [String]
    /// Its platform; nil when it is none that is known here.
    public var platform: Platform?
    /// The push handle, without the address that may lead to it; a secret.
    public var handle: String?
    /// Whether it has a template.
    public var isTemplate: Bool
    /// The whole entry.
    public var xml: String

    init?(xml: String) {
        guard let id = XMLText.content(of: "RegistrationId", in: xml) else { return nil }
        self.id = id
        etag = XMLText.content(of: "ETag", in: xml) ?? ""
        tags = (XMLText.content(of: "Tags", in: xml) ?? "").split(separator: ",").map(String.init)
        platform = Platform.allCases.first {
            xml.contains("<\($0.registrationType)RegistrationDescription")
                || xml.contains("<\($0.registrationType)TemplateRegistrationDescription")
        }
        isTemplate = xml.contains("TemplateRegistrationDescription")
        let members = [
            "DeviceToken", "GcmRegistrationId", "FcmV1RegistrationId", "ChannelUri",
            "AdmRegistrationId", "XiaomiRegistrationId",
        ]
        handle = XMLText.first(of: members, in: xml).map { text in
            if text.hasPrefix(RegistrationEntry.addressPrefix) {
                return String(text.dropFirst(RegistrationEntry.addressPrefix.count))
            }
            return text.split(separator: "/").last.map(String.init) ?? text
        }
        self.xml = xml
    }

    /// The entries of a feed, in its order.
    static func list(xml: String) -> [RegistrationAnswer] {
        xml.split(separator: "<entry ").dropFirst().compactMap {
            RegistrationAnswer(xml: String($0))
        }
    }
}
