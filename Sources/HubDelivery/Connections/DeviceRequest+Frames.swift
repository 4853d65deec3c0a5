import HubModel
import HubTags
import HubTemplates
import HubVocabulary
import HubWire

extension DeviceRequest {
    /// Reads REGISTER of a device.
    ///
    /// - Throws: what is wrong with platform or tags.
    init(
        _ frame: borrowing RegisterFrame,
        of device: DeviceID,
        on hub: HubShard
    ) throws(FrameRefusal) {
        guard let platform = Platform(rawValue: frame.platform) else {
            throw FrameRefusal(.unsupported, "platform \(frame.platform) is unknown")
        }
        let tags = try TagSet(checking: frame.tags)
        var template: TemplateDefinition?
        if frame.kind == .template {
            template = TemplateDefinition(
                name: [UInt8](copying: frame.templateName),
                body: [UInt8](copying: frame.template),
                expiry: [UInt8](copying: frame.templateExpiry),
                headers: frame.headers()
            )
        }
        let handle = PushHandle(
            device: device,
            hub: hub.name,
            secret: hub.secret,
            generation: hub.keyGenerations[device] ?? 0
        )
        let content = RegistrationContent(
            platform: platform,
            handle: handle.text,
            tags: tags,
            template: template
        )
        self = .register(
            slot: frame.slot,
            content,
            ttlSeconds: frame.ttl,
            ifETag: frame.ifETag
        )
    }

    /// Reads TAGS.
    ///
    /// - Throws: what is wrong with the tags.
    init(_ frame: borrowing TagsFrame) throws(FrameRefusal) {
        self = .tags(
            slot: frame.slot,
            replace: frame.mode == .replace,
            add: try TagSet(checking: frame.add),
            remove: try TagSet(checking: frame.remove),
            ifETag: frame.ifETag
        )
    }
}

extension TagSet {
    /// The tags of a list.
    ///
    /// - Throws: the refusal that names the first bad one.
    fileprivate init(checking list: borrowing TagList) throws(FrameRefusal) {
        guard list.count <= WireLimits.tagsPerSlotMax else {
            let detail = "\(list.count) tags; at most \(WireLimits.tagsPerSlotMax)"
            throw FrameRefusal(.tooManyTags, detail)
        }
        var tags: [[UInt8]] = []
        tags.reserveCapacity(list.count)
        var iterator = list.makeIterator()
        while let range = iterator.next() {
            let tag = list.tag(range)
            // Reserved and protected tags are refused by the directory, with FORBIDDEN.
            if !TagRules.isReserved(tag), let problem = TagRules.check(tag) {
                throw FrameRefusal(.invalidTag, "tag \(tags.count): \(problem.reason)")
            }
            tags.append([UInt8](copying: tag))
        }
        self.init(tags)
    }
}

extension RegisterFrame {
    /// The template's headers, in the order of the frame.
    fileprivate func headers() -> [NamedValue] {
        var headers: [NamedValue] = []
        var iterator = makeHeaderIterator()
        while let header = nextHeader(&iterator) {
            headers.append(
                NamedValue(
                    name: [UInt8](copying: text(header.name)),
                    value: [UInt8](copying: text(header.value))
                )
            )
        }
        return headers
    }
}
