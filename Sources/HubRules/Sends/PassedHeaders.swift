package import HubVocabulary

/// The headers of a send that travel to devices.
///
/// Source: REST reference §8.4–8.6.
package enum PassedHeaders {
    private static let appleSynonyms = Array("x-apns-".utf8)
    private static let apple = Array("apns-".utf8)

    /// Whether a header, its name in lower case, is one that a platform's devices get.
    package static func belongs(_ name: [UInt8], to platform: Platform) -> Bool {
        switch platform {
        case .apple: name.starts(with: apple)
        case .windows: name.starts(with: "x-wns-".utf8)
        case .windowsPhone:
            name.elementsEqual("x-windowsphone-target".utf8)
                || name.elementsEqual("x-notificationclass".utf8)
        case .baidu: name.elementsEqual("x-baidu-message-type".utf8)
        case .gcm, .fcmV1, .adm, .browser, .xiaomi: false
        }
    }

    /// Those of a request that belong to the format's platform, or to any for a template send, in
    /// the order received; `X-Apns-…` under their own names.
    ///
    /// - Throws: `.invalid` naming a header that is there twice, too long or not plain text;
    ///   `.tooManyInRequest` past 16 of them; `.tooLarge` past 2,048 bytes of all.
    static func select(
        from headers: [NamedValue],
        format: NotificationFormat,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        var passed: [NamedValue] = []
        for header in headers {
            var name = ASCII.lower(header.name)
            if name.starts(with: appleSynonyms) { name.removeFirst(2) }
            guard isWanted(name, format: format) else { continue }
            let value = ASCII.trimmed(header.value)
            guard value != SendRequest.unreadable else { continue }
            let field = String(decoding: name, as: UTF8.self)
            guard name.count <= limits.sends.passedHeaderBytesMax,
                value.count <= limits.sends.passedHeaderBytesMax, PlainText.isPlain(value.span),
                PlainText.isVisibleASCII(name)
            else {
                throw .invalid(
                    field: String(field.prefix(limits.sends.passedHeaderBytesMax)),
                    reason: "must be UTF-8 without control characters, at most "
                        + "\(limits.sends.passedHeaderBytesMax) bytes"
                )
            }
            guard !passed.contains(where: { $0.name == name }) else {
                throw .invalid(field: field, reason: "is there more than once")
            }
            guard passed.count < limits.sends.passedHeadersMax else {
                throw .tooManyInRequest(
                    what: "headers for devices",
                    limit: limits.sends.passedHeadersMax
                )
            }
            passed.append(NamedValue(name: name, value: value))
        }
        try checkSize(passed, limits: limits)
        return passed
    }

    /// Refuses more bytes than fit beside a template's headers into a parcel.
    static func checkSize(_ headers: [NamedValue], limits: CoreLimits) throws(Refusal) {
        let size = headers.reduce(0) { $0 + $1.name.count + $1.value.count + 2 }
        guard size <= limits.sends.passedHeadersBytesMax else {
            throw .tooLarge(
                field: "headers for devices",
                bytes: size,
                limit: limits.sends.passedHeadersBytesMax
            )
        }
    }

    private static func isWanted(_ name: [UInt8], format: NotificationFormat) -> Bool {
        switch format {
        case .native(let platform): belongs(name, to: platform)
        case .template: Platform.allCases.contains { belongs(name, to: $0) }
        }
    }
}
