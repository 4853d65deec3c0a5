package import HubModel
import HubRules
import HubTemplates
package import HubVocabulary

/// Reads what clients post as a registration: the union of what they all send.
///
/// Source: REST §4.11, §4.14.
package enum RegistrationReader {
    /// The content of an Atom entry, not yet validated.
    ///
    /// - Throws: `.invalid` naming the element that is missing or cannot be read.
    package static func read(
        _ body: [UInt8],
        limits: CoreLimits
    ) throws(Refusal) -> RegistrationContent {
        try read(try description(of: XMLInput.parse(body)), limits: limits)
    }

    /// The content of a description itself, not yet validated.
    ///
    /// - Throws: `.invalid` naming the element that is missing or cannot be read.
    package static func read(
        _ description: XMLNode,
        limits: CoreLimits
    ) throws(Refusal) -> RegistrationContent {
        var typeName = description.name
        if typeName == "RegistrationDescription" {
            guard let given = description.attributes["type"] else {
                throw .invalid(field: typeName, reason: "needs an 'i:type' attribute.")
            }
            typeName =
                given.lastIndex(of: ":").map { String(given[given.index(after: $0)...]) }
                ?? given
        }
        guard let (platform, isTemplate) = DescriptionShape.read(typeName) else {
            throw .invalid(field: "content", reason: "is not a known registration description.")
        }
        let members = try XMLMembers(description)
        let shape = DescriptionShape(platform)
        var content = RegistrationContent(
            platform: platform,
            handle: try handle(members, shape),
            tags: try TagText.read(members.text("Tags"), limits: limits)
        )
        content.pushVariables = try PushVariables.read(members.text("PushVariables"))
        if shape.hasSecondaryTile {
            content.secondaryTileName = members.trimmed("SecondaryTileName")
        }
        if case .withFields(_, let fields) = shape.handle {
            for field in fields {
                let given = members.trimmed(field)
                // Browsers on their own link have no keys.
                if given.isEmpty, OwnHandle.canonical(content.handle) != nil { continue }
                let value = try required(given, field)
                content.platformFields.append(NamedValue(name: Array(field.utf8), value: value))
            }
        }
        if case .pair(let user, let channel) = shape.handle {
            let given = BaiduHandle(
                user: members.trimmed(user),
                channel: members.trimmed(channel)
            )
            if let field = given.field { content.platformFields.append(field) }
        }
        if isTemplate { try readTemplate(members, shape, into: &content) }
        return content
    }

    private static func description(of root: XMLNode) throws(Refusal) -> XMLNode {
        guard root.name == "entry" else {
            throw .invalid(field: "entry", reason: "must be the root element.")
        }
        guard let content = root.child("content") else {
            throw .invalid(field: "content", reason: "is missing.")
        }
        guard let description = content.children.first else {
            throw .invalid(field: "content", reason: "holds no registration description.")
        }
        return description
    }

    private static func required(_ value: [UInt8], _ field: String) throws(Refusal) -> [UInt8] {
        guard !value.isEmpty else {
            throw .invalid(field: field, reason: "is missing or empty.")
        }
        return value
    }

    private static func handle(
        _ members: XMLMembers,
        _ shape: DescriptionShape
    ) throws(Refusal) -> [UInt8] {
        switch shape.handle {
        case .member("GcmRegistrationId"):
            let synonym = members.trimmed("FcmRegistrationId")
            let given = members.trimmed("GcmRegistrationId")
            return try required(given.isEmpty ? synonym : given, "GcmRegistrationId")
        case .member(let name), .withFields(let name, _):
            return try required(members.trimmed(name), name)
        case .pair(let user, let channel):
            let value = try required(members.trimmed(channel), channel)
            return BaiduHandle(user: members.trimmed(user), channel: value).joined
        }
    }

    private static func readTemplate(
        _ members: XMLMembers,
        _ shape: DescriptionShape,
        into content: inout RegistrationContent
    ) throws(Refusal) {
        var template = TemplateDefinition(name: [], body: [])
        for member in shape.template {
            switch member {
            case .body:
                template.body = try required(members.text("BodyTemplate"), "BodyTemplate")
            case .expiry: template.expiry = members.text("Expiry")
            case .name: template.name = members.text("TemplateName")
            case .priority: template.priority = members.text("Priority")
            case .headers(let word):
                template.headers = try headers(members.node("\(word)Headers"), "\(word)Header")
            case .field(let name):
                let value = members.trimmed(name)
                if !value.isEmpty {
                    content.platformFields.append(NamedValue(name: Array(name.utf8), value: value))
                }
            }
        }
        content.template = template
    }

    private static func headers(
        _ list: XMLNode?,
        _ item: String
    ) throws(Refusal) -> [NamedValue] {
        var headers: [NamedValue] = []
        for node in list?.children ?? [] where node.name == item {
            let members = try XMLMembers(node)
            headers.append(
                NamedValue(name: members.trimmed("Header"), value: members.text("Value"))
            )
        }
        return headers
    }
}
