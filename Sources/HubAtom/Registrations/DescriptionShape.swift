import HubVocabulary

/// Which members a registration description has and in which order they are written.
///
/// Readers of some clients are sensitive to the order.
///
/// Source: REST §4.14.
struct DescriptionShape {
    /// The members that name a handle.
    enum Handle: Equatable {
        /// One member holds it.
        case member(String)
        /// Written `USERID-CHANNELID` in the core; the user may be missing.
        case pair(user: String, channel: String)
        /// One member holds it, the others are kept beside it.
        case withFields(String, fields: [String])
    }

    /// A member of template descriptions.
    enum TemplateMember: Equatable {
        case body
        case expiry
        case name
        case priority
        /// Element names are `ApnsHeaders`/`ApnsHeader` and the like for the word `Apns`.
        case headers(String)
        /// A member that is kept as given.
        case field(String)
    }

    /// The platform.
    let platform: Platform
    /// Where the handle stands.
    let handle: Handle
    /// Whether `SecondaryTileName` follows the handle.
    let hasSecondaryTile: Bool
    /// The members that template descriptions have behind that, in order.
    let template: [TemplateMember]

    /// The one table of all platforms.
    init(_ platform: Platform) {
        self.platform = platform
        hasSecondaryTile = platform == .windows || platform == .windowsPhone
        switch platform {
        case .apple:
            handle = .member("DeviceToken")
            template = [.body, .expiry, .name, .priority, .headers("Apns")]
        case .gcm:
            handle = .member("GcmRegistrationId")
            template = [.body, .name]
        case .fcmV1:
            handle = .member("FcmV1RegistrationId")
            template = [.body, .name]
        case .windows:
            handle = .member("ChannelUri")
            template = [.body, .headers("Wns"), .name]
        case .windowsPhone:
            handle = .member("ChannelUri")
            template = [.body, .headers("Mpns"), .name]
        case .adm:
            handle = .member("AdmRegistrationId")
            template = [.body, .name]
        case .baidu:
            handle = .pair(user: "BaiduUserId", channel: "BaiduChannelId")
            template = [.body, .name, .field("MessageType")]
        case .browser:
            handle = .withFields("Endpoint", fields: ["P256DH", "Auth"])
            template = [.body, .name]
        case .xiaomi:
            handle = .member("XiaomiRegistrationId")
            template = [.body, .name]
        }
    }

    /// The element's name, always the concrete one.
    ///
    /// Source: REST §4.12.
    static func elementName(_ platform: Platform, isTemplate: Bool) -> String {
        "\(platform.registrationType)\(isTemplate ? "Template" : "")RegistrationDescription"
    }

    /// Returns the kind of an element name or `i:type`; nil when the table has no such name.
    ///
    /// `Fcm…` without version is read as `Gcm…`.
    ///
    /// Source: REST §4.14.
    static func read(_ elementName: String) -> (platform: Platform, isTemplate: Bool)? {
        for platform in Platform.allCases {
            for isTemplate in [false, true]
            where elementName == self.elementName(platform, isTemplate: isTemplate) {
                return (platform, isTemplate)
            }
        }
        return switch elementName {
        case "FcmRegistrationDescription": (.gcm, false)
        case "FcmTemplateRegistrationDescription": (.gcm, true)
        default: nil
        }
    }
}
