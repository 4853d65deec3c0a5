package import HubModel
import HubTags
import HubTemplates
package import HubTestSupport
import HubVocabulary

extension SeededGenerator {
    /// A registration with every part drawn from the seed.
    package mutating func registration() -> Registration {
        var template: TemplateDefinition?
        if below(2) == 0 {
            template = TemplateDefinition(
                name: text(200),
                body: text(700),
                expiry: text(20),
                priority: text(4),
                headers: pairs()
            )
        }
        let content = RegistrationContent(
            platform: Platform(rawValue: UInt8(below(9))) ?? .apple,
            handle: text(300),
            tags: tags(),
            template: template,
            pushVariables: pairs(),
            secondaryTileName: text(20),
            platformFields: pairs()
        )
        return Registration(
            number: RegistrationNumber(UInt32(truncatingIfNeeded: next())),
            id: RegistrationID.make(random: &self),
            version: next(),
            content: content,
            granted: tags(),
            target: below(2) == 0 ? nil : target(),
            template: nil,
            since: place(),
            tagsSince: place(),
            formerTags: (0..<below(4)).map { _ in FormerTags(tags: tags(), until: place()) },
            historyCut: below(2) == 0 ? nil : place(),
            expires: below(2) == 0 ? nil : Timestamp(milliseconds: next()),
            created: Timestamp(milliseconds: next()),
            modified: Timestamp(milliseconds: next())
        )
    }

    /// A send with every part drawn from the seed.
    package mutating func draft() throws -> NotificationDraft {
        let isTemplate = below(2) == 0
        let platform = Platform(rawValue: UInt8(below(9))) ?? .apple
        let target: NotificationTarget
        switch below(4) {
        case 0: target = .broadcast
        case 1:
            let text = Array("(a\(below(99)) || !$UserId:{b}) && ü".utf8)
            target = .tags(try TagExpression(parsing: text))
        case 2: target = .slots((0..<below(5)).map { _ in self.target() })
        default: target = .handles((0..<below(5)).map { _ in text(70) })
        }
        let isChosen = if case .slots = target { below(2) == 0 } else { false }
        let bag = "{\"n\":\"\(next())\",\"m\":null}"
        var draft = NotificationDraft(
            format: isTemplate ? .template : .native(platform),
            target: target,
            body: isTemplate ? Array(bag.utf8) : text(500),
            contentType: text(30),
            headers: (0..<below(4)).map { _ in NamedValue(name: bytes(8), value: text(300)) },
            timeToLive: below(3) == 0 ? .transient : .seconds(1 + UInt32(below(2_419_200))),
            collapseKey: text(65),
            priority: NotificationPriority(rawValue: UInt8(below(4))) ?? .normal,
            wantsReceipts: below(2) == 0
        ).asRead
        if isChosen { draft.testedExpression = Array("a\(below(99)) && !b".utf8) }
        return draft
    }

    /// A record somewhere in a log.
    package mutating func record() throws -> NotificationRecord {
        let draft = try draft()
        return NotificationRecord(
            sequence: 1 + next() % 1_000,
            id: NotificationID(high: next(), low: next()),
            draft: draft,
            anchors: (0..<below(4)).map { _ in AnchorKey(raw: next()) }
        )
    }

    private mutating func tags() -> TagSet {
        TagSet((0..<below(6)).map { _ in Array("tag\(below(40))".utf8) })
    }

    private mutating func text(_ limit: Int) -> [UInt8] { bytes(below(limit)) }

    private mutating func pairs() -> [NamedValue] {
        (0..<below(3)).map { _ in NamedValue(name: text(12), value: text(300)) }
    }

    private mutating func place() -> LogPlace {
        LogPlace(epoch: next() % 9, sequence: next() % 100_000)
    }

    private mutating func target() -> RegistrationTarget {
        RegistrationTarget(
            device: DeviceID(high: next(), low: next()),
            slot: UInt16(below(65_536))
        )
    }
}
