/// A platform notification service whose registrations, formats and payload rules the hub plays.
///
/// The raw value is the number on the device link. Source: the table of rules C.7.
public enum Platform: UInt8, CaseIterable, Sendable {
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
    public var format: String {
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

    /// The first word of a registration description's element name.
    public var registrationType: String {
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

    /// The word of `platform` in an installation.
    package var installationName: String {
        switch self {
        case .apple: "apns"
        case .windows: "wns"
        case .windowsPhone: "mpns"
        case .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: format
        }
    }

    /// The word of `--platform`.
    public var commandLineName: String {
        switch self {
        case .apple: "apple"
        case .fcmV1: "fcm"
        case .gcm, .windows, .windowsPhone, .adm, .baidu, .browser, .xiaomi: installationName
        }
    }

    /// The platform that a word of `--platform` or a send format names; compares without case.
    public init?(named word: String) {
        let folded = word.lowercased()
        let found = Self.allCases.first {
            $0.commandLineName == folded || $0.format == folded
        }
        guard let found else { return nil }
        self = found
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

    /// Whether template bodies are XML documents (otherwise JSON objects).
    package var templatesAreXML: Bool { self == .windows || self == .windowsPhone }
}
