package import HubVocabulary

/// A handle of a platform's service, in the form in which its requests name it.
package enum ForeignHandle: Hashable, Sendable {
    /// A device token, lower-case hex digits.
    case apple(String)
    /// A registration token.
    case firebaseToken(String)
    /// An installation id, which takes the place of tokens.
    case firebaseInstallation(String)
    /// A channel of the Windows push service.
    case windows(ServiceAddress)
    /// A browser's subscription: where to, its public key and its shared secret.
    case browser(ServiceAddress, key: SubscriberKey, secret: [UInt8])

    /// Why a handle cannot be one of its service; names the field of the registration.
    package struct Unusable: Error, Hashable, Sendable {
        /// The element or member.
        package let field: String
        /// The rule that it breaks.
        package let reason: String
    }

    /// The keys that a browser's subscription brings beside its endpoint, as base64 of any kind.
    package struct SubscriptionKeys: Sendable {
        /// `P256DH`.
        package var publicKey: [UInt8]
        /// `Auth`.
        package var secret: [UInt8]

        /// Makes a pair.
        package init(publicKey: [UInt8], secret: [UInt8]) {
            self.publicKey = publicKey
            self.secret = secret
        }
    }

    /// Bytes of an Apple token at least and at most; Apple promises no length.
    private static let appleBytes = 1...100
    /// Bytes of a Firebase token at most.
    private static let firebaseBytesMax = 4_096

    /// Checks a handle by its service's rules.
    ///
    /// `browserHosts` are an operator's own hosts beside those of browsers' makers.
    /// - Throws: the rule that it breaks.
    package init(
        _ handle: [UInt8],
        platform: Platform,
        keys: SubscriptionKeys? = nil,
        browserHosts: [String] = []
    ) throws(Unusable) {
        switch platform {
        case .apple:
            guard handle.count % 2 == 0, Self.appleBytes.contains(handle.count / 2),
                HexText.isHex(handle)
            else {
                throw Unusable(field: "DeviceToken", reason: "is not an even number of hex digits")
            }
            self = .apple(String(decoding: ASCII.lower(handle), as: UTF8.self))
        case .fcmV1:
            guard PlainText.isVisibleASCII(handle), handle.count <= Self.firebaseBytesMax else {
                throw Unusable(
                    field: "FcmV1RegistrationId",
                    reason: "has characters that no token has, or is too long"
                )
            }
            let text = String(decoding: handle, as: UTF8.self)
            self =
                Self.isInstallation(handle) ? .firebaseInstallation(text) : .firebaseToken(text)
        case .windows:
            self = .windows(try Self.address(handle, ServiceHosts.windows, field: "ChannelUri"))
        case .browser:
            let hosts = ServiceHosts.browser + browserHosts
            let address = try Self.address(handle, hosts, field: "Endpoint")
            let (key, secret) = try Self.keys(keys)
            self = .browser(address, key: key, secret: secret)
        case .gcm, .windowsPhone, .adm, .baidu, .xiaomi:
            throw Unusable(field: "Handle", reason: "is of a service that is not relayed to")
        }
    }

    private static func address(
        _ handle: [UInt8],
        _ hosts: [String],
        field: String
    ) throws(Unusable) -> ServiceAddress {
        do throws(ServiceAddress.Problem) {
            return try ServiceAddress(handle, hosts: hosts)
        } catch { throw Unusable(field: field, reason: error.reason) }
    }

    private static func keys(
        _ keys: SubscriptionKeys?
    ) throws(Unusable) -> (key: SubscriberKey, secret: [UInt8]) {
        guard let keys, let key = Base64URL.decode(keys.publicKey).flatMap(SubscriberKey.init)
        else {
            throw Unusable(field: "P256DH", reason: "is no point of P-256 in 65 bytes")
        }
        guard let secret = Base64URL.decode(keys.secret), secret.count == 16 else {
            throw Unusable(field: "Auth", reason: "does not have 16 bytes")
        }
        return (key, secret)
    }

    /// 22 characters of base64 for addresses, the first `c` to `f`, and no colon.
    private static func isInstallation(_ handle: [UInt8]) -> Bool {
        guard handle.count == 22, (UInt8(ascii: "c")...UInt8(ascii: "f")).contains(handle[0])
        else { return false }
        return handle.allSatisfy { byte in
            TextBytes.isName(byte) || byte == UInt8(ascii: "-")
        }
    }
}
