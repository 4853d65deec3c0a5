package import HubVocabulary

/// A platform's credential in the hub's description.
///
/// The order is the order of writing: strict readers of Azure's contract insist on it.
package enum CredentialKind: String, CaseIterable, Sendable {
    case apns = "ApnsCredential"
    case wns = "WnsCredential"
    case gcm = "GcmCredential"
    case mpns = "MpnsCredential"
    case adm = "AdmCredential"
    case baidu = "BaiduCredential"
    case fcmV1 = "FcmV1Credential"
    case browser = "BrowserCredential"
    case xiaomi = "XiaomiCredential"

    /// The element or the JSON member with this name, in any case of letters.
    package init?(name: String) {
        let found = Self.allCases.first { ASCII.equal($0.rawValue.utf8, name.utf8) }
        guard let found else { return nil }
        self = found
    }

    /// The platform whose registrations it is for.
    package var platform: Platform {
        switch self {
        case .apns: .apple
        case .wns: .windows
        case .gcm: .gcm
        case .mpns: .windowsPhone
        case .adm: .adm
        case .baidu: .baidu
        case .fcmV1: .fcmV1
        case .browser: .browser
        case .xiaomi: .xiaomi
        }
    }

    /// Why a credential of this kind is kept and not used; nil for services that are relayed to.
    package var unusedBecause: String? {
        switch self {
        case .apns, .fcmV1, .browser, .wns: nil
        case .gcm: "legacy FCM ended in 2024; set FcmV1Credential"
        case .mpns: "the service for Windows Phone ended"
        case .adm, .baidu, .xiaomi: "Belfry does not relay to this service"
        }
    }

    /// The properties that Azure's contract knows, in its order.
    var properties: [String] {
        switch self {
        case .apns:
            [
                "ApnsCertificate", "CertificateKey", "Endpoint", "Thumbprint", "Token", "KeyId",
                "AppName", "AppId",
            ]
        case .fcmV1: ["PrivateKey", "ProjectId", "ClientEmail"]
        case .wns:
            [
                "PackageSid", "SecretKey", "WindowsLiveEndpoint", "WnsCertificate",
                "CertificateKey", "TenantId",
            ]
        case .browser: ["Subject", "VapidPublicKey", "VapidPrivateKey"]
        case .adm: ["ClientId", "ClientSecret", "AuthTokenUrl", "SendUrlTemplate"]
        case .gcm: ["GoogleApiKey", "GcmEndpoint"]
        case .mpns: ["MpnsCertificate", "CertificateKey", "Thumbprint"]
        case .baidu: ["BaiduApiKey", "BaiduSecretKey", "BaiduEndPoint"]
        case .xiaomi: ["AppSecret", "Endpoint"]
        }
    }

    /// The properties that are never written or shown.
    var secrets: Set<String> {
        switch self {
        case .apns: ["Token", "ApnsCertificate", "CertificateKey"]
        case .fcmV1: ["PrivateKey"]
        case .wns: ["SecretKey", "WnsCertificate", "CertificateKey"]
        case .browser: ["VapidPrivateKey"]
        case .adm: ["ClientSecret"]
        case .gcm: ["GoogleApiKey"]
        case .mpns: ["MpnsCertificate", "CertificateKey"]
        case .baidu: ["BaiduApiKey", "BaiduSecretKey"]
        case .xiaomi: ["AppSecret"]
        }
    }
}
