import HubTemplates
package import HubVocabulary

/// The body of a batch send: one payload and the handles that get it.
///
/// Source: REST reference §9.2.
package struct BatchBody: Sendable {
    /// The payload, byte for byte.
    package let notification: [UInt8]
    /// The payload's own content type; empty when its part names none.
    package let contentType: [UInt8]
    /// The handles as given, 1...1,000.
    package let handles: [[UInt8]]

    /// The field under which refusals name the handles: the part that holds them.
    static let handlesField = PartName.devices.rawValue

    /// The two parts that a batch has.
    private enum PartName: String, CaseIterable {
        case notification
        case devices
    }

    /// Reads a multipart body with the parts `notification` and `devices`, in either order.
    ///
    /// `contentType` is that of the request, with the boundary.
    /// - Throws: `.invalid` naming `Content-Type`, `body` or `devices` and what is wrong with it.
    package init(
        _ body: [UInt8],
        contentType: [UInt8],
        limits: CoreLimits = .standard
    ) throws(Refusal) {
        let multipart = try MultipartBody(body, contentType: contentType, limits: limits)
        var parts: [PartName: MultipartBody.Part] = [:]
        for (index, part) in multipart.parts.enumerated() {
            let name = try Self.name(of: part, number: index + 1)
            guard parts.updateValue(part, forKey: name) == nil else {
                throw .invalid(
                    field: "body",
                    reason: "the part '\(name.rawValue)' is there more than once"
                )
            }
        }
        let notification = try Self.part(.notification, of: parts)
        self.notification = notification.content
        self.contentType = notification.header("content-type") ?? []
        let devices = try Self.part(.devices, of: parts)
        handles = try Self.handles(devices.content.span, limits: limits)
    }

    private static func part(
        _ name: PartName,
        of parts: [PartName: MultipartBody.Part]
    ) throws(Refusal) -> MultipartBody.Part {
        guard let part = parts[name] else {
            throw .invalid(field: "body", reason: "the part '\(name.rawValue)' is missing")
        }
        return part
    }

    private static func name(
        of part: MultipartBody.Part,
        number: Int
    ) throws(Refusal) -> PartName {
        if let encoding = part.header("content-transfer-encoding"),
            !["7bit", "8bit", "binary"].contains(where: { ASCII.equal(encoding, $0.utf8) })
        {
            throw .invalid(
                field: "body",
                reason: "part \(number) has a Content-Transfer-Encoding other than 8bit"
            )
        }
        let disposition = HeaderParameters(part.header("content-disposition") ?? [])
        guard let given = disposition.value("name"),
            let name = PartName.allCases.first(where: { ASCII.equal(given, $0.rawValue.utf8) })
        else {
            throw .invalid(
                field: "body",
                reason: "part \(number) is not named 'notification' or 'devices' in its "
                    + "Content-Disposition"
            )
        }
        return name
    }

    /// A JSON array of strings, 1 to `directHandlesMax`.
    private static func handles(
        _ text: Span<UInt8>,
        limits: CoreLimits
    ) throws(Refusal) -> [[UInt8]] {
        let field = handlesField
        var handles: [[UInt8]] = []
        do throws(JSONTextError) {
            var scanner = try JSONScanner(text, depthMax: 2)
            guard try scanner.next() == .beginArray else {
                throw JSONTextError(offset: 0, fault: .unexpectedByte)
            }
            loop: while true {
                switch try scanner.next() {
                case .string(let range): handles.append(JSONText.decode(range, of: text))
                case .endArray: break loop
                case .number, .boolean, .null, .beginArray, .beginObject, .endObject, .key, .end:
                    throw JSONTextError(offset: scanner.position, fault: .unexpectedByte)
                }
            }
            _ = try scanner.next()
        } catch {
            throw .invalid(
                field: field,
                reason: "is not a JSON array of strings. \(error.reason)"
            )
        }
        guard !handles.isEmpty else {
            throw .invalid(field: field, reason: "names no handle; a batch needs at least one")
        }
        guard handles.count <= limits.sends.directHandlesMax else {
            throw .invalid(
                field: field,
                reason:
                    "names \(handles.count) handles; \(limits.sends.directHandlesMax) are allowed"
            )
        }
        return handles
    }
}
