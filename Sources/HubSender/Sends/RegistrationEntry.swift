public import HubVocabulary
public import HubWire

/// A registration as the REST API takes it: an Atom entry.
///
/// Source: REST reference §4.11, §4.14.
public struct RegistrationEntry: Equatable, Sendable {
    /// Which kind of registration.
    public var platform: Platform
    /// The push handle, 64 hexadecimal digits; a secret.
    public var handle: String
    /// Its tags.
    public var tags: [String]
    /// Makes it a template registration.
    public var template: TemplateMessage?

    /// Stands before a handle, for platforms that know devices by an address.
    static let addressPrefix = "urn:belfry:"

    /// A registration of its parts; native without a template.
    public init(
        platform: Platform,
        handle: String,
        tags: [String],
        template: TemplateMessage? = nil
    ) {
        self.platform = platform
        self.handle = handle
        self.tags = tags
        self.template = template
    }

    /// The Atom entry.
    ///
    /// - Throws: `.platformUnsupported` for Baidu and browsers, whose handles have several parts.
    public func xml() throws(SenderError) -> String {
        let type =
            platform.registrationType + (template == nil ? "" : "Template")
            + "RegistrationDescription"
        let (name, value) = try handleMember()
        var members = ""
        if !tags.isEmpty { members += Self.element("Tags", tags.joined(separator: ",")) }
        members += Self.element(name, value)
        if let template { members += Self.members(of: template, platform) }
        return "<?xml version=\"1.0\" encoding=\"utf-8\"?>"
            + "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">"
            + "<\(type) xmlns=\"http://schemas.microsoft.com/netservices/2010/10/servicebus/connect\""
            + " xmlns:i=\"http://www.w3.org/2001/XMLSchema-instance\">"
            + "\(members)</\(type)></content></entry>"
    }

    private func handleMember() throws(SenderError) -> (String, String) {
        switch platform {
        case .apple: ("DeviceToken", handle)
        case .gcm: ("GcmRegistrationId", handle)
        case .fcmV1: ("FcmV1RegistrationId", handle)
        case .windows, .windowsPhone: ("ChannelUri", Self.addressPrefix + handle)
        case .adm: ("AdmRegistrationId", handle)
        case .xiaomi: ("XiaomiRegistrationId", handle)
        case .baidu, .browser: throw .platformUnsupported(platform)
        }
    }

    private static func members(
        of template: TemplateMessage,
        _ platform: Platform
    ) -> String {
        let body = String(decoding: template.body, as: UTF8.self)
        var members = element("BodyTemplate", body)
        if platform == .apple, !template.expiry.isEmpty {
            members += element("Expiry", template.expiry)
        }
        let kind: String? =
            switch platform {
            case .apple: "Apns"
            case .windows: "Wns"
            case .windowsPhone: "Mpns"
            case .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: nil
            }
        let headers = template.headers.map { header in
            "<\(kind ?? "")Header>" + element("Header", header.name)
                + element("Value", header.value) + "</\(kind ?? "")Header>"
        }
        let list =
            kind == nil || headers.isEmpty
            ? "" : "<\(kind ?? "")Headers>\(headers.joined())</\(kind ?? "")Headers>"
        let name = template.name.isEmpty ? "" : element("TemplateName", template.name)
        // The order of members is part of the format, and differs for Apple.
        return members + (platform == .apple ? name + list : list + name)
    }

    private static func element(_ name: String, _ text: String) -> String {
        "<\(name)>\(XMLText.escaped(text))</\(name)>"
    }
}
