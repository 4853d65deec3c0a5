import HubTestSupport
import HubWire

/// What was found at the front of some bytes, in the form of the vectors' `expect`.
enum FrameSummary {
    /// Decodes one frame completely; the fields are named as in `Protocol/`.
    static func fields(
        _ header: FrameHeader,
        _ body: Span<UInt8>
    ) throws(WireError) -> [String: JSONValue] {
        switch header.type {
        case .hello: return hello(try HelloFrame(decoding: body, header: header))
        case .welcome: return welcome(try WelcomeFrame(decoding: body, header: header))
        case .ping:
            let frame = try PingFrame(decoding: body, header: header)
            return [
                "next_s": number(frame.nextSeconds), "net_type": number(frame.netType),
                "token": number(frame.token), "ack": long(frame.ack),
            ]
        case .pong:
            let frame = try PongFrame(decoding: body, header: header)
            return [
                "token": number(frame.token), "hint_s": number(frame.hintSeconds),
                "server_time_ms": long(frame.serverTime),
            ]
        case .goaway: return goaway(try GoawayFrame(decoding: body, header: header))
        case .bye:
            let frame = try ByeFrame(decoding: body, header: header)
            return [
                "reason": number(frame.reason), "expected_return_s": number(frame.expectedReturn),
            ]
        case .error: return error(try ErrorFrame(decoding: body, header: header))
        case .window:
            let frame = try WindowFrame(decoding: body, header: header)
            return [
                "app_state": number(frame.appState), "msgs": number(frame.messages),
                "bytes": number(frame.bytes),
            ]
        case .register: return register(try RegisterFrame(decoding: body, header: header))
        case .unregister:
            let frame = try UnregisterFrame(decoding: body, header: header)
            return ["slot": number(frame.slot)]
        case .tags: return tags(try TagsFrame(decoding: body, header: header))
        case .result: return result(try ResultFrame(decoding: body, header: header))
        case .deliver: return deliver(try DeliverFrame(decoding: body, header: header))
        case .ack: return ["seq": long(try AckFrame(decoding: body, header: header).seq)]
        case .gap: return gap(try GapFrame(decoding: body, header: header))
        case .receipts: return receipts(try ReceiptsFrame(decoding: body, header: header))
        case .padding: return ["bytes": number(header.length)]
        }
    }

    private static func number(_ value: some BinaryInteger) -> JSONValue { .number(Int(value)) }
    private static func long(_ value: UInt64) -> JSONValue { .string(String(value)) }
    private static func hex(_ bytes: [UInt8]) -> JSONValue { .string(HexText.text(bytes)) }

    private static func hex(_ id: ID16) -> JSONValue {
        var bytes: [UInt8] = []
        id.append(to: &bytes)
        return hex(bytes)
    }

    private static func copy(_ span: Span<UInt8>) -> [UInt8] {
        var bytes: [UInt8] = []
        for index in span.indices { bytes.append(span[index]) }
        return bytes
    }

    private static func text(_ span: Span<UInt8>) -> JSONValue {
        .string(String(decoding: copy(span), as: UTF8.self))
    }

    private static func hello(_ frame: borrowing HelloFrame) -> [String: JSONValue] {
        let message = frame.message
        return [
            "minor_min": number(message.minorMin), "minor_max": number(message.minorMax),
            "net_type": number(message.netType),
            "capabilities": long(message.capabilities.rawValue),
            "device_id": hex(message.deviceID), "instance": long(message.instance),
            "epoch": long(message.position.epoch), "seq": long(message.position.sequence),
            "check": number(message.position.check),
            "max_frame": number(message.maxFrame), "etag": long(message.etag),
            "max_payload": number(message.maxPayload), "window_bytes": number(message.windowBytes),
            "window_msgs": number(message.windowMessages),
            "keepalive_min": number(message.keepaliveMin),
            "keepalive_max": number(message.keepaliveMax),
            "auth_method": number(message.authMethod.rawValue), "hub": .string(message.hub),
            "auth": hex(copy(frame.auth)),
            "prefix_bytes": number(frame.authenticatedPrefix.count),
        ]
    }

    private static func welcome(_ frame: WelcomeFrame) -> [String: JSONValue] {
        [
            "minor": number(0), "resume": number(frame.resume.rawValue),
            "lost": number(frame.lost), "capabilities": long(frame.capabilities.rawValue),
            "device_id": hex(frame.deviceID), "epoch": long(frame.position.epoch),
            "seq": long(frame.position.sequence), "check": number(frame.position.check),
            "max_frame": number(frame.limits.frameBytes),
            "server_time_ms": long(frame.serverTime), "etag": long(frame.etag),
            "auth_expires": number(frame.authExpires), "retention_s": number(frame.retention),
            "keepalive": number(frame.keepalive), "grace": number(frame.grace),
            "max_regs": number(frame.limits.registrations), "max_tags": number(frame.limits.tags),
            "max_tag_len": number(frame.limits.tagBytes), "ack_delay": number(frame.ackDelay),
            "max_receipts": number(frame.limits.receipts),
            "return_max_ms": number(frame.limits.returning.longest),
            "return_spread_ms": number(frame.limits.returning.spread), "handle": hex(frame.handle),
            "device_key": hex(frame.deviceKey), "trace": .string(frame.trace),
        ]
    }

    private static func goaway(_ frame: GoawayFrame) -> [String: JSONValue] {
        [
            "reason": number(frame.reason), "may_reconnect": .bool(frame.mayReconnect),
            "min_delay_ms": number(frame.minDelay), "spread_ms": number(frame.spread),
            "detail": .string(frame.detail),
        ]
    }

    private static func error(_ frame: ErrorFrame) -> [String: JSONValue] {
        [
            "code": number(frame.code), "fatal": .bool(frame.isFatal),
            "about_type": number(frame.aboutType), "retry_after_ms": number(frame.retryAfter),
            "limit": number(frame.limit), "detail": .string(frame.detail),
        ]
    }

    private static func list(_ tags: borrowing TagList) -> JSONValue {
        var items: [JSONValue] = []
        var total = 0
        var iterator = tags.makeIterator()
        while let range = iterator.next() {
            items.append(hex(copy(tags.tag(range))))
            total += 1 + range.count
        }
        return items.count == tags.count && total == tags.total ? .array(items) : .null
    }

    private static func register(_ frame: borrowing RegisterFrame) -> [String: JSONValue] {
        var fields: [String: JSONValue] = [
            "slot": number(frame.slot), "kind": number(frame.kind.rawValue),
            "platform": number(frame.platform), "ttl_s": number(frame.ttl),
            "if_etag": long(frame.ifETag), "tags": list(frame.tags),
        ]
        guard frame.kind == .template else { return fields }
        var headers: [JSONValue] = []
        var iterator = frame.makeHeaderIterator()
        while let header = frame.nextHeader(&iterator) {
            headers.append(.array([text(frame.text(header.name)), text(frame.text(header.value))]))
        }
        fields["name"] = text(frame.templateName)
        fields["expiry"] = text(frame.templateExpiry)
        fields["headers"] = headers.count == frame.headerCount ? .array(headers) : .null
        fields["template"] = hex(copy(frame.template))
        return fields
    }

    private static func tags(_ frame: borrowing TagsFrame) -> [String: JSONValue] {
        [
            "slot": number(frame.slot), "mode": number(frame.mode.rawValue),
            "if_etag": long(frame.ifETag), "add": list(frame.add), "remove": list(frame.remove),
        ]
    }

    private static func result(_ frame: ResultFrame) -> [String: JSONValue] {
        [
            "status": number(frame.status), "slot": number(frame.slot),
            "retry_after_ms": number(frame.retryAfter), "etag": long(frame.etag),
            "expires": number(frame.expires), "applied": number(frame.applied),
            "handle": hex(frame.handle), "detail": .string(frame.detail),
        ]
    }

    private static func deliver(_ frame: borrowing DeliverFrame) -> [String: JSONValue] {
        var entries: [JSONValue] = []
        var iterator = frame.makeIterator()
        while let entry = iterator.next() {
            entries.append(
                .object([
                    "seq": entry.seq.map(long) ?? .null, "slot": number(entry.slot),
                    "eflags": number(entry.eflags), "parcel": hex(copy(frame.parcel(entry))),
                ])
            )
        }
        return [
            "prev_seq": long(frame.prevSeq), "backlog": number(frame.backlog),
            "entries": entries.count == frame.count ? .array(entries) : .null,
        ]
    }

    private static func gap(_ frame: GapFrame) -> [String: JSONValue] {
        [
            "from": long(frame.from), "to": long(frame.to), "lost": number(frame.lost),
            "check": number(frame.check), "reason": number(frame.reason),
        ]
    }

    private static func receipts(_ frame: borrowing ReceiptsFrame) -> [String: JSONValue] {
        var records: [JSONValue] = []
        for index in 0..<frame.count {
            let receipt = frame[index]
            records.append(
                .object([
                    "notification": hex(receipt.notification), "event": number(receipt.event),
                    "action": number(receipt.action), "slot": number(receipt.slot),
                    "at_ms": long(receipt.time),
                ])
            )
        }
        return ["records": .array(records)]
    }
}
