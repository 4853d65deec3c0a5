package import HubVocabulary

/// The handle of a device that registers over its own link: 64 hex digits, or the same as an
/// address, `urn:belfry:` and the digits.
///
/// Some clients hold a platform's handle as an absolute URI and can neither send nor read bare
/// digits there. See Decisions/HandlesAsAddresses.
package enum OwnHandle {
    private static let prefix = Array("urn:belfry:".utf8)

    /// The spelling that is stored and compared, digits in upper case; nil for another handle.
    package static func canonical(_ handle: [UInt8]) -> [UInt8]? {
        let digits = ASCII.hasPrefix(handle, prefix) ? handle[prefix.count...] : handle[...]
        guard digits.count == PushHandle.byteCount * 2,
            digits.allSatisfy({ HexText.digit($0) != nil })
        else { return nil }
        return digits.map { $0 >= UInt8(ascii: "a") ? $0 & 0xDF : $0 }
    }

    /// A stored handle as the API writes it: an address where the platform's clients want a URI.
    package static func spelled(_ handle: [UInt8], platform: Platform) -> [UInt8] {
        switch platform {
        case .windows, .windowsPhone: canonical(handle).map { prefix + $0 } ?? handle
        case .apple, .gcm, .fcmV1, .adm, .baidu, .browser, .xiaomi: handle
        }
    }
}
