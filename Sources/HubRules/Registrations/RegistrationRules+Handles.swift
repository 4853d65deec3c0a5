package import HubModel
package import HubVocabulary

extension RegistrationRules {
    /// The handle as it is stored: trimmed, Apple tokens upper case, addresses normalised.
    ///
    /// Where a platform wants an address, an own handle is taken too: devices that register over
    /// their own link have no other. Source: REST reference §4.12, §4.15.
    package static func handle(
        _ given: [UInt8],
        platform: Platform,
        limits: CoreLimits
    ) throws(Refusal) -> [UInt8] {
        let handle = ASCII.trimmed(given)
        let field = handleField(platform)
        guard !handle.isEmpty else { throw .invalid(field: field, reason: "must not be blank") }
        guard handle.count <= limits.registrations.handleBytesMax else {
            throw .invalid(
                field: field,
                reason:
                    "has \(handle.count) bytes; \(limits.registrations.handleBytesMax) are allowed"
            )
        }
        switch platform {
        case .apple:
            guard let token = HexText.decode(handle.span) else {
                throw .invalid(field: field, reason: "must be an even number of hex digits")
            }
            return HexText.encode(token)
        case .windows, .windowsPhone:
            if let own = OwnHandle.canonical(handle) { return own }
            guard let address = Address(handle) else {
                throw .invalid(field: field, reason: "must be an absolute URI")
            }
            return address.normalised
        case .browser:
            if let own = OwnHandle.canonical(handle) { return own }
            guard let address = Address(handle), address.scheme == Array("https".utf8) else {
                throw .invalid(field: field, reason: "must be an absolute https URI")
            }
            return address.normalised
        case .baidu:
            let channel = handle.split(
                separator: UInt8(ascii: "-"),
                omittingEmptySubsequences: false
            ).last
            guard let channel, !channel.allSatisfy(ASCII.isBlank) else {
                throw .invalid(field: field, reason: "must not be blank")
            }
            fallthrough
        case .gcm, .fcmV1, .adm, .xiaomi:
            guard PlainText.isPlain(handle.span) else {
                throw .invalid(field: field, reason: "must be UTF-8 without control characters")
            }
            return handle
        }
    }

    /// The element of the registration description that carries the handle.
    package static func handleField(_ platform: Platform) -> String {
        switch platform {
        case .apple: "DeviceToken"
        case .windows, .windowsPhone: "ChannelUri"
        case .baidu: "BaiduChannelId"
        case .browser: "Endpoint"
        case .gcm, .fcmV1, .adm, .xiaomi: "\(platform.registrationType)RegistrationId"
        }
    }

    /// Tile name, browser keys and message type, where the platform has them.
    package static func checkPlatformFields(
        _ content: RegistrationContent,
        limits: CoreLimits
    ) throws(Refusal) {
        let tile = content.secondaryTileName
        guard tile.count <= limits.registrations.platformFieldBytesMax, PlainText.isPlain(tile.span)
        else {
            throw .invalid(
                field: "SecondaryTileName",
                reason: "must be UTF-8 without control characters, at most "
                    + "\(limits.registrations.platformFieldBytesMax) bytes"
            )
        }
        guard content.platformFields.count <= limits.registrations.platformFieldsMax else {
            throw .invalid(
                field: "registration",
                reason: "more than \(limits.registrations.platformFieldsMax) platform fields"
            )
        }
        for field in content.platformFields {
            let name = String(decoding: field.name, as: UTF8.self)
            guard field.value.count <= limits.registrations.platformFieldBytesMax,
                PlainText.isPlain(field.value.span), PlainText.isVisibleASCII(field.name),
                field.name.count <= limits.registrations.platformFieldBytesMax
            else {
                throw .invalid(
                    field: name,
                    reason: "must be UTF-8 without control characters, at most "
                        + "\(limits.registrations.platformFieldBytesMax) bytes"
                )
            }
        }
        switch content.platform {
        // Browsers on their own link have no keys.
        case .browser where OwnHandle.canonical(content.handle) == nil:
            for name in ["P256DH", "Auth"] where !isKey(platformField(name, of: content)) {
                throw .invalid(field: name, reason: "must be base64url and not blank")
            }
        case .baidu:
            guard let type = platformField("MessageType", of: content) else { break }
            if ASCII.decimal(type) == nil {
                throw .invalid(field: "MessageType", reason: "must be an integer")
            }
        default: break
        }
    }

    private static func platformField(_ name: String, of content: RegistrationContent) -> [UInt8]? {
        content.platformFields.first { ASCII.equal($0.name, name.utf8) }?.value
    }

    /// Base64url with or without padding; the standard alphabet is what some browsers give.
    private static func isKey(_ value: [UInt8]?) -> Bool {
        guard let value, !value.isEmpty else { return false }
        let standard = value.map { byte in
            switch byte {
            case UInt8(ascii: "-"): UInt8(ascii: "+")
            case UInt8(ascii: "_"): UInt8(ascii: "/")
            default: byte
            }
        }
        return Base64.decode(standard) != nil
    }
}
