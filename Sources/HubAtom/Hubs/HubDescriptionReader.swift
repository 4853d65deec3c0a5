package import HubRules
package import HubVocabulary

/// Reads what administrators put as a hub.
///
/// Credentials of platforms are taken as they are; the namespace checks them. Source: REST §14.
package enum HubDescriptionReader {
    /// The definition in an Atom entry; rules that are absent or empty are not said at all.
    ///
    /// - Throws: `.invalid` naming the element that is missing or cannot be read.
    package static func read(_ body: [UInt8]) throws(Refusal) -> HubDefinition {
        let root = try XMLInput.parse(body)
        guard root.name == "entry" else {
            throw .invalid(field: "entry", reason: "must be the root element.")
        }
        guard let content = root.child("content") else {
            throw .invalid(field: "content", reason: "is missing.")
        }
        guard let description = content.children.first,
            description.name == "NotificationHubDescription"
        else {
            throw .invalid(field: "content", reason: "holds no NotificationHubDescription.")
        }
        guard ["false", "0", nil].contains(text("IsDisabled", of: description)) else {
            throw .invalid(
                field: "IsDisabled",
                reason: "must be false: take the rules or the hub away instead."
            )
        }
        var definition = HubDefinition(metadata: text("UserMetadata", of: description))
        if let life = text("RegistrationTtl", of: description) {
            definition.registrationLife = try RegistrationLife(text: life)
        }
        if let list = description.child("AuthorizationRules"), !list.isAbsent {
            var rules: [HubDefinition.Rule] = []
            for node in list.children where node.name == "AuthorizationRule" {
                rules.append(try rule(node))
            }
            definition.rules = rules
        }
        let named = description.children.filter { $0.name.hasSuffix("Credential") }
        // A serializer writes nil for what it does not know; only empty properties remove.
        for node in named where !node.isNil {
            definition.credentials.append(try credential(node))
        }
        return definition
    }

    /// A credential; one without properties is to be removed.
    private static func credential(_ node: XMLNode) throws(Refusal) -> DescribedCredential {
        var properties: [(name: String, value: String)] = []
        for property in node.child("Properties")?.children ?? [] where property.name == "Property" {
            guard let name = text("Name", of: property) else {
                throw .invalid(field: "\(node.name).Name", reason: "is missing or empty.")
            }
            properties.append((name, property.child("Value")?.text ?? ""))
        }
        return DescribedCredential(element: node.name, properties: properties)
    }

    private static func rule(_ node: XMLNode) throws(Refusal) -> HubDefinition.Rule {
        if let type = text("ClaimType", of: node), type != "SharedAccessKey" {
            throw .invalid(field: "ClaimType", reason: "must be SharedAccessKey.")
        }
        guard let name = text("KeyName", of: node) else {
            throw .invalid(field: "KeyName", reason: "is missing or empty.")
        }
        var rights: [AccessRight] = []
        for right in node.child("Rights")?.children ?? [] where right.name == "AccessRights" {
            let word = trimmed(right.text)
            guard let known = AccessRight.allCases.first(where: { $0.name == word }) else {
                throw .invalid(
                    field: "AccessRights",
                    reason: "must be Listen, Send or Manage."
                )
            }
            rights.append(known)
        }
        return HubDefinition.Rule(
            name: name,
            rights: rights,
            primaryKey: text("PrimaryKey", of: node),
            secondaryKey: text("SecondaryKey", of: node)
        )
    }

    /// A member's text; nil when it is absent, nil or empty.
    private static func text(_ name: String, of node: XMLNode) -> String? {
        node.child(name).flatMap { $0.isAbsent ? nil : trimmed($0.text) }
    }

    private static func trimmed(_ text: String) -> String {
        String(decoding: TextTrimming.trimmed(Array(text.utf8)), as: UTF8.self)
    }
}
