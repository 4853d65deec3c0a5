import HubModel
import HubTags
import HubTemplates
import HubVocabulary

// The meaning of each path. Source: REST reference §5.4.

extension InstallationPatch.Operation {
    /// Carries the operation out.
    func apply(to document: inout InstallationDocument, _ limits: CoreLimits) throws(Refusal) {
        switch Self.word(path, 0) {
        case "userid":
            try requireEnd(1)
            document.userID = verb == .remove ? [] : try optionalText()
        case "expirationtime":
            try requireEnd(1)
            if verb == .remove || value == nil {
                document.expires = nil
            } else {
                document.expires = try InstallationReader.expiry(given(), at: shownPath)
            }
        case "pushvariables":
            try applyVariables(&document.pushVariables, limits)
        case "secondarytiles":
            try applyTiles(to: &document, limits)
        case "pushchannel", "tags", "templates":
            try apply(to: &document.channel, path, document.platform, limits)
        case "installationid", "platform":
            throw refusal("cannot be changed; put the installation anew")
        case "pushchannelexpired":
            throw refusal("is set by the hub")
        default: throw unknown
        }
    }

    // MARK: Channels

    /// The installation's own channel or a tile's; `path` begins with the channel's member.
    private func apply(
        to channel: inout InstallationChannel,
        _ path: [[UInt8]],
        _ platform: Platform,
        _ limits: CoreLimits
    ) throws(Refusal) {
        switch Self.word(path, 0) {
        case "pushchannel": try applyChannel(&channel.pushChannel, path, platform)
        case "tags": try applyTags(&channel.tags, path, limits)
        case "templates": try applyTemplates(&channel.templates, path, limits)
        default: throw unknown
        }
    }

    private func applyChannel(
        _ channel: inout PushChannel,
        _ path: [[UInt8]],
        _ platform: Platform
    ) throws(Refusal) {
        guard verb != .remove else { throw refusal("cannot be removed") }
        if path.count == 1 {
            channel = try InstallationReader.pushChannel(given(), platform: platform, at: shownPath)
            return
        }
        guard path.count == 2,
            case .subscription(var endpoint, var p256dh, var auth, let asText) = channel
        else { throw unknown }
        let part = try InstallationReader.text(given(), at: shownPath)
        switch Self.word(path, 1) {
        case "endpoint": endpoint = part
        case "p256dh": p256dh = part
        case "auth": auth = part
        default: throw unknown
        }
        channel = .subscription(endpoint: endpoint, p256dh: p256dh, auth: auth, asText: asText)
    }

    private func applyTags(
        _ tags: inout TagSet,
        _ path: [[UInt8]],
        _ limits: CoreLimits
    ) throws(Refusal) {
        if path.count == 1 {
            switch verb {
            case .remove: tags = TagSet()
            case .replace: tags = try givenTags(limits)
            case .add: tags = tags.union(try givenTags(limits))
            }
            return try RegistrationRules.checkSize(tags, limits: limits)
        }
        guard path.count == 2 else { throw unknown }
        let named = TagSet([ASCII.trimmed(path[1])])
        switch verb {
        case .remove: tags = tags.subtracting(named)
        case .replace: tags = tags.subtracting(named).union(try givenTags(limits))
        case .add:
            // The path's dash is JSON Patch's word for the end of a list.
            let isEnd = path[1] == [UInt8(ascii: "-")] && value != nil
            tags = tags.union(isEnd ? try givenTags(limits) : named)
        }
        // At each step, not only in the end: the next one would work on what this one made.
        try RegistrationRules.checkSize(tags, limits: limits)
    }

    // MARK: Templates

    private func applyTemplates(
        _ templates: inout [InstallationTemplate],
        _ path: [[UInt8]],
        _ limits: CoreLimits
    ) throws(Refusal) {
        guard path.count > 1 else {
            templates =
                verb == .remove
                ? []
                : try InstallationReader.templates(givenObject(), at: shownPath, limits: limits)
            return
        }
        let name = path[1]
        let index = templates.firstIndex { $0.name == name }
        if path.count == 2 {
            guard verb != .remove else {
                if let index { templates.remove(at: index) }
                return
            }
            let template = try InstallationReader.template(
                givenObject(),
                name: name,
                at: shownPath,
                limits: limits
            )
            if let index { templates[index] = template } else { templates.append(template) }
            return
        }
        guard let index else {
            if verb == .remove, Self.word(path, 2) != "body" { return }
            throw refusal("there is no such template")
        }
        try apply(to: &templates[index], Array(path.dropFirst(2)), limits)
    }

    private func apply(
        to template: inout InstallationTemplate,
        _ path: [[UInt8]],
        _ limits: CoreLimits
    ) throws(Refusal) {
        switch (Self.word(path, 0), path.count) {
        case ("body", 1):
            guard verb != .remove else { throw refusal("cannot be removed") }
            template.body = try InstallationReader.text(given(), at: shownPath)
        case ("expiry", 1):
            template.expiry = verb == .remove ? [] : try optionalText()
        case ("headers", 1):
            template.headers =
                verb == .remove
                ? [] : try InstallationReader.pairs(givenObject(), at: shownPath, limits: limits)
        case ("headers", 2): try set(path[1], in: &template.headers)
        case ("tags", _): try applyTags(&template.tags, path, limits)
        default: throw unknown
        }
    }

    // MARK: Variables and tiles

    private func applyVariables(
        _ variables: inout [NamedValue],
        _ limits: CoreLimits
    ) throws(Refusal) {
        switch path.count {
        case 1:
            variables =
                verb == .remove
                ? [] : try InstallationReader.pushVariables(givenObject(), limits: limits)
        case 2: try set(path[1], in: &variables)
        default: throw unknown
        }
    }

    private func applyTiles(
        to document: inout InstallationDocument,
        _ limits: CoreLimits
    ) throws(Refusal) {
        guard path.count > 1 else {
            document.tiles =
                verb == .remove
                ? []
                : try InstallationReader.tiles(
                    givenObject(),
                    platform: document.platform,
                    limits: limits
                )
            return
        }
        let name = path[1]
        let index = document.tiles.firstIndex { $0.name == name }
        if path.count == 2 {
            guard verb != .remove else {
                if let index { document.tiles.remove(at: index) }
                return
            }
            // Read as the only one of a list, which checks name and platform too.
            let only = JSONTree.object([JSONMember(name, try givenObject())])
            let tile = try InstallationReader.tiles(
                only,
                platform: document.platform,
                limits: limits
            )
            if let index {
                document.tiles.replaceSubrange(index...index, with: tile)
            } else {
                document.tiles += tile
            }
            return
        }
        guard let index else {
            if verb == .remove, Self.word(path, 2) != "pushchannel" { return }
            throw refusal("there is no such secondary tile")
        }
        try apply(
            to: &document.tiles[index].channel,
            Array(path.dropFirst(2)),
            document.platform,
            limits
        )
    }

    /// Sets or removes one of several named values; names compare without case.
    private func set(_ name: [UInt8], in values: inout [NamedValue]) throws(Refusal) {
        let index = values.firstIndex { ASCII.equal($0.name, name) }
        guard verb != .remove else {
            if let index { values.remove(at: index) }
            return
        }
        let pair = NamedValue(
            name: name,
            value: try InstallationReader.text(given(), at: shownPath)
        )
        if let index { values[index] = pair } else { values.append(pair) }
    }

    // MARK: Values

    private func given() throws(Refusal) -> JSONTree {
        guard let value else { throw refusal("the value is missing") }
        return value
    }

    /// A text, or nothing for null.
    private func optionalText() throws(Refusal) -> [UInt8] {
        guard let value else { return [] }
        return try InstallationReader.text(value, at: shownPath)
    }

    /// An object, or the text of one.
    private func givenObject() throws(Refusal) -> JSONTree {
        let value = try given()
        if case .string(let text) = value, let inner = InstallationReader.parsed(text),
            case .object = inner
        {
            return inner
        }
        guard case .object = value else {
            throw refusal("the value must be an object or the text of one")
        }
        return value
    }

    /// An array, the text of one, or tags between commas: no tag has a comma.
    private func givenTags(_ limits: CoreLimits) throws(Refusal) -> TagSet {
        var value = try given()
        if case .string(let text) = value {
            if let inner = InstallationReader.parsed(text), case .array = inner {
                value = inner
            } else {
                let parts = text.split(separator: UInt8(ascii: ","))
                value = .array(parts.map { .string(Array($0)) })
            }
        }
        return try InstallationReader.tags(value, at: shownPath, limits: limits)
    }

    // MARK: Paths

    /// A segment in lower case; empty behind the end.
    private static func word(_ path: [[UInt8]], _ index: Int) -> String {
        index < path.count ? String(decoding: ASCII.lower(path[index]), as: UTF8.self) : ""
    }

    private func requireEnd(_ count: Int) throws(Refusal) {
        guard path.count == count else { throw unknown }
    }

    private var unknown: Refusal { refusal("is no path of an installation") }

    private func refusal(_ reason: String) -> Refusal {
        .invalid(field: shownPath, reason: reason)
    }
}
