/// The platform whose registrations a device plays; the raw value is the number on the link.
///
/// Source: the table of rules C.7.
public enum DevicePlatform: UInt8, CaseIterable, Sendable {
    case apple = 0
    case gcm = 1
    case fcmV1 = 2
    case windows = 3
    case windowsPhone = 4
    case adm = 5
    case baidu = 6
    case browser = 7
    case xiaomi = 8

    /// The word of `--platform`.
    public var commandLineName: String {
        switch self {
        case .apple: "apple"
        case .gcm: "gcm"
        case .fcmV1: "fcm"
        case .windows: "wns"
        case .windowsPhone: "mpns"
        case .adm: "adm"
        case .baidu: "baidu"
        case .browser: "browser"
        case .xiaomi: "xiaomi"
        }
    }

    /// The value of `ServiceBusNotification-Format` that reaches native registrations.
    public var format: String {
        switch self {
        case .fcmV1: "fcmv1"
        case .windows: "windows"
        case .windowsPhone: "windowsphone"
        case .apple, .gcm, .adm, .baidu, .browser, .xiaomi: commandLineName
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

    /// The platform that a word of `--platform` or a send format names; compares without case.
    public init?(named word: String) {
        let folded = word.lowercased()
        let found = Self.allCases.first {
            $0.commandLineName == folded || $0.format == folded
        }
        guard let found else { return nil }
        self = found
    }
}
