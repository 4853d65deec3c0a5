import HubModel
import HubTags
import HubTemplates
import HubVocabulary
import HubWire

/// REGISTER, TAGS and UNREGISTER: structure was checked by the decoder, policy is checked here, the
/// directory decides and stores.
extension ShardCore {
    mutating func receiveRegister(
        _ frame: borrowing RegisterFrame,
        slot: Int,
        session: SessionReference,
        now: Now
    ) {
        let number = frame.slot
        guard let platform = Platform(rawValue: frame.platform) else {
            let detail = "platform \(frame.platform) is unknown"
            refuse(.unsupported, detail, frame.ref, number, slot)
            return
        }
        guard let tags = checkedTags(frame.tags, frame.ref, number, slot) else { return }
        var template: TemplateDefinition?
        if frame.kind == .template {
            template = TemplateDefinition(
                name: [UInt8](copying: frame.templateName),
                body: [UInt8](copying: frame.template),
                expiry: [UInt8](copying: frame.templateExpiry),
                headers: frame.headers()
            )
        }
        let open = hubs[session.hub].sessions[session.index]
        let handle = PushHandle(
            device: open.device,
            hub: hubs[session.hub].name,
            secret: hubs[session.hub].secret,
            generation: hubs[session.hub].keyGenerations[open.device] ?? 0
        )
        let content = RegistrationContent(
            platform: platform,
            handle: handle.text,
            tags: tags,
            template: template
        )
        request(
            .register(
                slot: number,
                content,
                ttlSeconds: frame.ttl,
                ifETag: frame.ifETag
            ),
            frame.ref,
            number,
            slot,
            session,
            now: now
        )
    }

    mutating func receiveTags(
        _ frame: borrowing TagsFrame,
        slot: Int,
        session: SessionReference,
        now: Now
    ) {
        guard let add = checkedTags(frame.add, frame.ref, frame.slot, slot),
            let remove = checkedTags(frame.remove, frame.ref, frame.slot, slot)
        else { return }
        request(
            .tags(
                slot: frame.slot,
                replace: frame.mode == .replace,
                add: add,
                remove: remove,
                ifETag: frame.ifETag
            ),
            frame.ref,
            frame.slot,
            slot,
            session,
            now: now
        )
    }

    /// The tags of a list, or nil after the refusal that names the first bad one.
    private mutating func checkedTags(
        _ list: borrowing TagList,
        _ ref: UInt16,
        _ number: UInt16,
        _ slot: Int
    ) -> TagSet? {
        guard list.count <= WireLimits.tagsPerSlotMax else {
            let detail = "\(list.count) tags; at most \(WireLimits.tagsPerSlotMax)"
            refuse(.tooManyTags, detail, ref, number, slot)
            return nil
        }
        var tags: [[UInt8]] = []
        tags.reserveCapacity(list.count)
        var iterator = list.makeIterator()
        while let range = iterator.next() {
            let tag = list.tag(range)
            // Reserved and protected tags are refused by the directory, with FORBIDDEN.
            if !TagRules.isReserved(tag), let problem = TagRules.check(tag) {
                refuse(.invalidTag, "tag \(tags.count): \(problem.reason)", ref, number, slot)
                return nil
            }
            tags.append([UInt8](copying: tag))
        }
        return TagSet(tags)
    }

    private mutating func refuse(
        _ error: ErrorNumber,
        _ detail: String,
        _ ref: UInt16,
        _ number: UInt16,
        _ slot: Int
    ) {
        counters.errors[error, default: 0] += 1
        finishRequest(slot, ref, DeviceOutcome(error: error, slot: number, detail: detail))
    }

    /// Hands a request to the directory, within the limit of those outstanding.
    mutating func request(
        _ request: DeviceRequest,
        _ ref: UInt16,
        _ number: UInt16,
        _ slot: Int,
        _ session: SessionReference,
        now: Now
    ) {
        guard let state = connections[slot] else { return }
        guard state.outstanding.count < WireLimits.outstandingRequestsMax else {
            refuse(.rateLimited, "too many requests without an answer", ref, number, slot)
            return
        }
        connections[slot]?.outstanding.append(ref)
        let open = hubs[session.hub].sessions[session.index]
        actions.append(
            .directory(
                hubs[session.hub].name,
                .device(
                    open.device,
                    sessionGeneration: open.generation,
                    ConnectionAddress(shard: shard, connection: hot[slot].id),
                    reference: ref,
                    request
                )
            )
        )
    }

    /// Writes RESULT.
    mutating func finishRequest(_ slot: Int, _ ref: UInt16, _ outcome: DeviceOutcome) {
        connections[slot]?.outstanding.removeAll { $0 == ref }
        // Most devices ask once; an empty array with room costs each of them memory for good.
        if connections[slot]?.outstanding.isEmpty == true { connections[slot]?.outstanding = [] }
        let message = ResultFrame(
            status: outcome.error,
            slot: outcome.slot,
            retryAfter: outcome.retryAfterMilliseconds,
            etag: outcome.etag,
            expires: outcome.expiresSeconds,
            applied: outcome.applied,
            detail: outcome.detail
        )
        control(slot) { message.encode(into: &$0, ref: ref) }
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
