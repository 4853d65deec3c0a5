package import HubModel
import HubTags
import HubTemplates
package import HubVocabulary

/// The registrations, tags and handles that follow from an installation.
package enum InstallationRules {
    /// The tag that only the hub writes.
    ///
    /// Source: REST reference §5.6, rules C.3.
    package static func tag(installation id: [UInt8]) -> [UInt8] {
        Array("$InstallationId:{".utf8) + id + [UInt8(ascii: "}")]
    }

    /// The id of the installation whose tag this is; nil when it is none's.
    package static func installation(ofTag tag: Span<UInt8>) -> [UInt8]? {
        let prefix = Array("$InstallationId:{".utf8)
        guard tag.count > prefix.count, TagRules.hasPrefix(tag, prefix.span) else { return nil }
        return tag.bytes(in: prefix.count..<tag.count - 1)
    }

    /// The tag of a user's installations.
    package static func tag(user id: [UInt8]) -> [UInt8] {
        Array("$UserId:{".utf8) + id + [UInt8(ascii: "}")]
    }

    /// Every registration of a document, validated.
    package static func parts(
        of document: InstallationDocument,
        limits: CoreLimits
    ) throws(Refusal) -> [RegistrationContent] {
        try check(
            id: document.id,
            at: "/installationId",
            tag: tag(installation: document.id),
            limits
        )
        if !document.userID.isEmpty {
            try check(id: document.userID, at: "/userId", tag: tag(user: document.userID), limits)
        }
        var parts = try parts(of: document.channel, of: document, tile: [], at: "", limits: limits)
        for tile in document.tiles {
            let path = "/secondaryTiles/\(String(decoding: tile.name, as: UTF8.self))"
            parts += try self.parts(
                of: tile.channel,
                of: document,
                tile: tile.name,
                at: path,
                limits: limits
            )
        }
        let bytes = parts.reduce(0) { $0 + $1.bodyBytes }
        guard bytes <= limits.installations.installationExpandedBytesMax else {
            throw .tooLarge(
                field: "registrations of the installation",
                bytes: bytes,
                limit: limits.installations.installationExpandedBytesMax
            )
        }
        return parts
    }

    private static func parts(
        of channel: InstallationChannel,
        of document: InstallationDocument,
        tile: [UInt8],
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> [RegistrationContent] {
        let limit = limits.installations.installationTemplatesMax
        guard channel.templates.count <= limit else {
            throw .tooManyInRequest(what: "templates of one push channel", limit: limit)
        }
        var tags = TagSet()
        if !document.userID.isEmpty { tags.append(tag(user: document.userID).span) }
        tags = tags.union(channel.tags)
        let native = RegistrationContent(
            platform: document.platform,
            handle: channel.pushChannel.handle,
            tags: tags,
            pushVariables: document.pushVariables,
            secondaryTileName: tile,
            platformFields: channel.pushChannel.platformFields
        )
        var parts = [try validated(native, tagged: nil, of: document, at: path, limits: limits)]
        for (index, template) in channel.templates.enumerated() {
            try InstallationReader.check(
                name: template.name,
                number: index + 1,
                of: "\(path)/templates",
                limits: limits
            )
            let name = String(decoding: template.name, as: UTF8.self)
            var part = native
            part.template = TemplateDefinition(
                name: template.name,
                body: template.body,
                expiry: template.expiry,
                headers: template.headers
            )
            // The tag of its name is no tag by the rules for those that callers choose.
            let byName = template.nameTag.map { TagSet([$0]) }
            part.tags = tags.union(byName.map { template.tags.subtracting($0) } ?? template.tags)
            parts.append(
                try validated(
                    part,
                    tagged: byName,
                    of: document,
                    at: "\(path)/templates/\(name)",
                    limits: limits
                )
            )
        }
        return parts
    }

    /// The registration in its canonical spelling with all its tags but the installation's own.
    private static func validated(
        _ part: RegistrationContent,
        tagged extra: TagSet?,
        of document: InstallationDocument,
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> RegistrationContent {
        do throws(Refusal) {
            var content = try part.validated(limits: limits)
            if let extra { content.tags = content.tags.union(extra) }
            var whole = TagSet([tag(installation: document.id)])
            whole = whole.union(content.tags)
            try RegistrationRules.checkSize(whole, limits: limits)
            return content
        } catch {
            guard case .invalid(let field, let reason) = error else { throw error }
            throw .invalid(field: path + member(field, of: path), reason: reason)
        }
    }

    /// The document's word for a field of registrations.
    private static func member(_ field: String, of path: String) -> String {
        switch field {
        case "BodyTemplate": "/body"
        case "Expiry": "/expiry"
        case "Tags": "/tags"
        case "PushVariables": "/pushVariables"
        case "TemplateName": "/name"
        case "headers": "/headers"
        case "DeviceToken", "ChannelUri", "BaiduChannelId", "GcmRegistrationId",
            "FcmV1RegistrationId", "AdmRegistrationId", "XiaomiRegistrationId":
            "/pushChannel"
        case "Endpoint", "P256DH", "Auth": "/pushChannel/\(field.lowercased())"
        case "SecondaryTileName": ""
        default: " \(field)"
        }
    }

    /// An installation's or user's id: tag characters and `=`, and the tag it becomes fits.
    ///
    /// Source: REST reference §5.1, §5.2.
    private static func check(
        id: [UInt8],
        at path: String,
        tag: [UInt8],
        _ limits: CoreLimits
    ) throws(Refusal) {
        let plain = id.filter { $0 != UInt8(ascii: "=") }
        let problem =
            plain.isEmpty && !id.isEmpty ? nil : TagRules.check(plain.span, limits: limits.tags)
        guard problem == nil, tag.count <= limits.tags.tagBytesMax else {
            let room = limits.tags.tagBytesMax - (tag.count - id.count)
            throw .invalid(
                field: path,
                reason: "must have 1 to \(room) bytes: letters, digits and -_@#.:="
            )
        }
    }
}
