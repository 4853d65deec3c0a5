import ArgumentParser
import HubRelay

/// The services whose credentials the command line knows by a word.
enum CredentialService: String, CaseIterable, ExpressibleByArgument {
    case apns, fcm, browser, wns, adm, gcm, mpns, baidu, xiaomi

    /// The credential of the service.
    var kind: CredentialKind {
        switch self {
        case .apns: .apns
        case .fcm: .fcmV1
        case .browser: .browser
        case .wns: .wns
        case .adm: .adm
        case .gcm: .gcm
        case .mpns: .mpns
        case .baidu: .baidu
        case .xiaomi: .xiaomi
        }
    }
}
