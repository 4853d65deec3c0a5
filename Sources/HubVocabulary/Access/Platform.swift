/// A platform notification service whose registrations, formats and payload rules the hub plays.
///
/// The raw value is the number on the device link. Source: the table of rules C.7.
package enum Platform: UInt8, CaseIterable, Sendable {
    case apple = 0
    case gcm = 1
    case fcmV1 = 2
    case windows = 3
    case windowsPhone = 4
    case adm = 5
    case baidu = 6
    case browser = 7
    case xiaomi = 8

    /// The value of `ServiceBusNotification-Format` that reaches native registrations, lower case.
    package var format: String {
        switch self {
        case .apple: "apple"
        case .gcm: "gcm"
        case .fcmV1: "fcmv1"
        case .windows: "windows"
        case .windowsPhone: "windowsphone"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        }
    }

    /// The first word of the registration description's element name.
    package var registrationType: String {
        switch self {
        case .apple: "Apple"
        case .gcm: "Gcm"
        case .fcmV1: "FcmV1"
        case .windows: "Windows"
        case .windowsPhone: "Mpns"
        case .adm: "Adm"
        case .baidu: "Baidu"
        case .browser: "Browser"
        case .xiaomi: "Xiaomi"
        }
    }

    /// The installation's `platform`, also the word of `--platform` and of `pns` (but for Apple, FCM).
    package var installationName: String {
        switch self {
        case .apple: "apns"
        case .gcm: "gcm"
        case .fcmV1: "fcmv1"
        case .windows: "wns"
        case .windowsPhone: "mpns"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        }
    }

    /// The word of `--platform`.
    package var commandLineName: String {
        switch self {
        case .apple: "apple"
        case .fcmV1: "fcm"
        default: installationName
        }
    }

    /// The platform a send format names; `fcm` is accepted as `gcm`.
    ///
    /// Compares without case.
    package init?(format: String) {
        let folded = format.lowercased()
        guard
            let found = Platform.allCases.first(where: { $0.format == folded })
                ?? (folded == "fcm" ? .gcm : nil)
        else { return nil }
        self = found
    }

    /// Whether native payloads are JSON documents that the hub checks before accepting.
    package var takesJSON: Bool {
        switch self {
        case .apple, .gcm, .fcmV1, .adm, .xiaomi: true
        case .windows, .windowsPhone, .baidu, .browser: false
        }
    }

    /// Whether template bodies are XML documents (otherwise JSON objects).
    package var templatesAreXML: Bool { self == .windows || self == .windowsPhone }
}
