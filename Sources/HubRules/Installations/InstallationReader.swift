package import HubModel
import HubTags
package import HubTemplates
package import HubVocabulary

/// Reads an installation, or a part of one, from a parsed document.
///
/// Fixed words compare without case, null is absent, unknown members are dropped. Every refusal
/// names the member by its path. Source: REST reference §5.2.
package enum InstallationReader {
    /// The last time that a document can name; it and everything later means never.
    private static let last: UInt64 = 253_402_300_799_999

    /// Reads the document of the installation with this id.
    ///
    /// - Throws: `.invalid` with the path of what is wrong; `.tooManyInRequest` past a number of parts.
    package static func document(
        _ value: JSONTree,
        id: [UInt8],
        limits: CoreLimits
    ) throws(Refusal) -> InstallationDocument {
        guard case .object = value else {
            throw .invalid(field: "installation", reason: "must be a JSON object")
        }
        let own = try required(value, "installationId")
        let named = try text(own, at: "/installationId")
        guard ASCII.equal(named, id) else {
            throw .invalid(field: "/installationId", reason: "is not the id of the address")
        }
        let platform = try platform(try required(value, "platform"))
        var document = InstallationDocument(
            id: named,
            platform: platform,
            channel: try channel(value, platform: platform, at: "", limits: limits)
        )
        if let user = value.member("userId") {
            document.userID = try text(user, at: "/userId")
        }
        if let time = value.member("expirationTime") {
            document.expires = try expiry(time, at: "/expirationTime")
        }
        if let variables = value.member("pushVariables") {
            document.pushVariables = try pushVariables(variables, limits: limits)
        }
        if let tiles = value.member("secondaryTiles") {
            document.tiles = try Self.tiles(tiles, platform: platform, limits: limits)
        }
        return document
    }

    // MARK: Parts

    /// Handle, tags and templates of the installation (`path` empty) or of a tile.
    static func channel(
        _ value: JSONTree,
        platform: Platform,
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> InstallationChannel {
        let handle = try required(value, "pushChannel", at: path)
        var channel = InstallationChannel(
            pushChannel: try pushChannel(handle, platform: platform, at: "\(path)/pushChannel")
        )
        if let tags = value.member("tags") {
            channel.tags = try Self.tags(tags, at: "\(path)/tags", limits: limits)
        }
        if let templates = value.member("templates") {
            channel.templates = try Self.templates(
                templates,
                at: "\(path)/templates",
                limits: limits
            )
        }
        return channel
    }

    /// A handle as text, or a browser's subscription in either of its forms.
    static func pushChannel(
        _ value: JSONTree,
        platform: Platform,
        at path: String
    ) throws(Refusal) -> PushChannel {
        guard platform == .browser else { return .text(try text(value, at: path)) }
        var asText = false
        var object = value
        if case .string(let text) = value {
            guard let inner = parsed(text), case .object = inner else { return .text(text) }
            object = inner
            asText = true
        }
        guard case .object = object else {
            throw .invalid(field: path, reason: "must be a string or an object")
        }
        func part(_ name: String) throws(Refusal) -> [UInt8] {
            guard let value = object.member(name) else { return [] }
            return try text(value, at: "\(path)/\(name)")
        }
        return .subscription(
            endpoint: try part("endpoint"),
            p256dh: try part("p256dh"),
            auth: try part("auth"),
            asText: asText
        )
    }

    /// An array of tags; blanks around each are dropped, empty ones too.
    static func tags(
        _ value: JSONTree,
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> TagSet {
        guard case .array(let elements) = value else {
            throw .invalid(field: path, reason: "must be an array of strings")
        }
        var spelled: [[UInt8]] = []
        for (index, element) in elements.enumerated() where element != .null {
            let tag = ASCII.trimmed(try text(element, at: "\(path)/\(index)"))
            if !tag.isEmpty { spelled.append(tag) }
        }
        // Looked at before a set is made of them, which takes time for very many.
        let bytes = spelled.reduce(0) { $0 + $1.count + 1 }
        guard bytes <= limits.registrations.tagsBytesMax + 1 else {
            throw .invalid(
                field: path,
                reason: "has \(bytes - 1) bytes; \(limits.registrations.tagsBytesMax) are allowed"
            )
        }
        guard spelled.count <= limits.registrations.tagsMax else {
            throw .invalid(
                field: path,
                reason: "has \(spelled.count) tags; \(limits.registrations.tagsMax) are allowed"
            )
        }
        return TagSet(spelled)
    }

    /// The templates of a channel; of several with one name the last counts.
    static func templates(
        _ value: JSONTree,
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> [InstallationTemplate] {
        let members = try parts(
            value,
            what: "templates of one push channel",
            limit: limits.installations.installationTemplatesMax,
            at: path
        )
        var templates: [InstallationTemplate] = []
        for (index, member) in members.enumerated() {
            try check(name: member.name, number: index + 1, of: path, limits: limits)
            let name = String(decoding: member.name, as: UTF8.self)
            templates.append(
                try template(member.value, name: member.name, at: "\(path)/\(name)", limits: limits)
            )
        }
        return templates
    }

    /// One template; `name` in it is ignored, the docs' other words for body and expiry are taken.
    static func template(
        _ value: JSONTree,
        name: [UInt8],
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> InstallationTemplate {
        guard case .object = value else {
            throw .invalid(field: path, reason: "must be an object")
        }
        var template = InstallationTemplate(name: name)
        guard let body = value.member("body") ?? value.member("bodyTemplate") else {
            throw .invalid(field: "\(path)/body", reason: "is missing")
        }
        template.body = try text(body, at: "\(path)/body")
        if let headers = value.member("headers") {
            template.headers = try pairs(headers, at: "\(path)/headers", limits: limits)
        }
        if let expiry = value.member("expiry") ?? value.member("expiration") {
            template.expiry = try text(expiry, at: "\(path)/expiry")
        }
        if let tags = value.member("tags") {
            template.tags = try Self.tags(tags, at: "\(path)/tags", limits: limits)
        }
        return template
    }

    /// Secondary tiles, which Windows alone has.
    static func tiles(
        _ value: JSONTree,
        platform: Platform,
        limits: CoreLimits
    ) throws(Refusal) -> [InstallationTile] {
        let path = "/secondaryTiles"
        let members = try parts(
            value,
            what: "secondary tiles of an installation",
            limit: limits.installations.installationTilesMax,
            at: path
        )
        guard members.isEmpty || platform == .windows else {
            throw .invalid(field: path, reason: "exist on the platform wns only")
        }
        var tiles: [InstallationTile] = []
        for (index, member) in members.enumerated() {
            try check(name: member.name, number: index + 1, of: path, limits: limits)
            let place = "\(path)/\(String(decoding: member.name, as: UTF8.self))"
            guard case .object = member.value else {
                throw .invalid(field: place, reason: "must be an object")
            }
            let channel = try channel(member.value, platform: platform, at: place, limits: limits)
            tiles.append(InstallationTile(name: member.name, channel: channel))
        }
        return tiles
    }

    /// Variables of the device; names compare without case, the last of equal ones counts.
    static func pushVariables(
        _ value: JSONTree,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        let found = try pairs(value, at: "/pushVariables", limits: limits)
        var kept: [NamedValue] = []
        for pair in found {
            kept.removeAll { ASCII.equal($0.name, pair.name) }
            kept.append(pair)
        }
        return kept
    }

    /// A time in any client's format; nil for never, as for a date that was never set.
    static func expiry(_ value: JSONTree, at path: String) throws(Refusal) -> Timestamp? {
        let given = try text(value, at: path)
        switch TimeText.parse(given.span) {
        case .unset: return nil
        case .time(let time): return time.milliseconds >= last ? nil : time
        case nil:
            throw .invalid(field: path, reason: "is no time such as 2026-08-02T09:12:00Z")
        }
    }

    // MARK: Values

    /// The platform of an installation's word; the old `fcm` means `gcm`.
    static func platform(_ value: JSONTree) throws(Refusal) -> Platform {
        let word = try text(value, at: "/platform")
        let known = Platform.allCases.first { ASCII.equal($0.installationName.utf8, word) }
        if let platform = known ?? (ASCII.equal(word, "fcm".utf8) ? .gcm : nil) { return platform }
        let words = Platform.allCases.map(\.installationName).joined(separator: ", ")
        throw .invalid(field: "/platform", reason: "is none of \(words)")
    }

    /// An object of strings, in the order written, null values left out.
    static func pairs(
        _ value: JSONTree,
        at path: String,
        limits: CoreLimits
    ) throws(Refusal) -> [NamedValue] {
        let members = try parts(
            value,
            what: "members of \(path)",
            limit: limits.installations.installationPairsMax,
            at: path
        )
        var pairs: [NamedValue] = []
        for member in members {
            let name = String(
                decoding: member.name.prefix(limits.registrations.templateNameBytesMax),
                as: UTF8.self
            )
            let value = try text(member.value, at: "\(path)/\(name)")
            pairs.append(NamedValue(name: member.name, value: value))
        }
        return pairs
    }

    /// A string.
    static func text(_ value: JSONTree, at path: String) throws(Refusal) -> [UInt8] {
        guard case .string(let text) = value else {
            throw .invalid(field: path, reason: "must be a string")
        }
        return text
    }

    /// The JSON value of a text; nil when it is none.
    static func parsed(_ text: [UInt8]) -> JSONTree? {
        // The reason does not matter: such a text is then taken as it stands or refused by form.
        do throws(JSONTextError) {
            return try JSONTree(json: text.span, depthMax: CoreLimits.standard.sends.nestingMax)
        } catch {
            return nil
        }
    }

    private static func required(
        _ value: JSONTree,
        _ name: String,
        at path: String = ""
    ) throws(Refusal) -> JSONTree {
        guard let found = value.member(name) else {
            throw .invalid(field: "\(path)/\(name)", reason: "is missing")
        }
        return found
    }

    /// The members of an object, each name once with its last value, null ones left out.
    private static func parts(
        _ value: JSONTree,
        what: String,
        limit: Int,
        at path: String
    ) throws(Refusal) -> [JSONMember] {
        guard case .object(let members) = value else {
            throw .invalid(field: path, reason: "must be an object")
        }
        guard members.count <= limit else { throw .tooManyInRequest(what: what, limit: limit) }
        var kept: [JSONMember] = []
        for member in members {
            kept.removeAll { $0.name == member.name }
            if member.value != .null { kept.append(member) }
        }
        return kept
    }

    /// Names of templates and tiles.
    static func check(
        name: [UInt8],
        number: Int,
        of path: String,
        limits: CoreLimits
    ) throws(Refusal) {
        guard (1...limits.registrations.templateNameBytesMax).contains(name.count),
            PlainText.isPlain(name.span)
        else {
            throw .invalid(
                field: path,
                reason: "the name of number \(number) must have 1 to "
                    + "\(limits.registrations.templateNameBytesMax) bytes of UTF-8 without control characters"
            )
        }
    }
}
