/// Finds frames in received bytes; keeps nothing, allocates nothing.
package enum FrameDecoder {
    /// Checks the frame at the front of `bytes` up to, not including, the fields of its body.
    ///
    /// The order of the checks is part of the protocol, so every receiver names the same error.
    /// - Throws: what Protocol [F-10] steps 2 to 8 name; more bytes never change it.
    package static func step(
        _ bytes: Span<UInt8>,
        direction: Direction,
        state: DecodingState,
        limits: WireLimits
    ) throws(WireError) -> FrameStep {
        guard bytes.count >= WireLimits.frameHeaderBytes else {
            return .needMore(WireLimits.frameHeaderBytes)
        }
        let typeByte = bytes[0]
        let flags = bytes[1]
        let ref = UInt16(bytes.bigEndian(at: 2, byteCount: 2))
        let length = bytes.bigEndian(at: 4, byteCount: 4)
        let isExtension = typeByte >= firstExtensionType
        let known = FrameType(rawValue: typeByte)

        try checkOpening(typeByte, known, isExtension: isExtension, state: state)
        guard isExtension || known != nil else {
            throw WireError(.unknownType, aboutType: typeByte)
        }
        guard flags & FrameFlag.criticalMask & ~FrameFlag.hasOptions == 0 else {
            throw WireError(.unknownFlag, aboutType: typeByte)
        }
        let total = WireLimits.frameHeaderBytes + length
        guard let type = known else {
            guard length <= limits.maxFrame else {
                throw WireError(.frameTooLarge, aboutType: typeByte, limit: limits.maxFrame)
            }
            return bytes.count < total ? .needMore(total) : .skip(total)
        }
        let header = FrameHeader(type: type, flags: flags, ref: ref, length: length)
        try check(header, direction: direction, state: state, limits: limits)
        return bytes.count < total ? .needMore(total) : .frame(header)
    }

    /// Types from here on are skipped when they are unknown.
    private static let firstExtensionType: UInt8 = 0x80

    /// Step 2: before the session is open hardly anything may come.
    private static func checkOpening(
        _ typeByte: UInt8,
        _ type: FrameType?,
        isExtension: Bool,
        state: DecodingState
    ) throws(WireError) {
        let allowed =
            switch state {
            case .waitHello: type == .hello
            case .waitWelcome:
                isExtension || type == .welcome || type == .error || type == .goaway
            case .ready: true
            }
        guard allowed else { throw WireError(.wrongState, aboutType: typeByte) }
    }

    /// Steps 6 to 8, for a known type.
    private static func check(
        _ header: FrameHeader,
        direction: Direction,
        state: DecodingState,
        limits: WireLimits
    ) throws(WireError) {
        let type = header.type
        let rule = type.rule
        let comesThisWay =
            switch direction {
            case .deviceToHub: rule.fromDevice
            case .hubToDevice: rule.fromHub
            }
        guard comesThisWay else { throw WireError(.wrongDirection, about: type) }
        if type == .hello, state != .waitHello { throw WireError(.wrongState, about: type) }
        if type == .welcome, state != .waitWelcome { throw WireError(.wrongState, about: type) }

        let options =
            header.hasOptions && rule.growsWithOptions ? WireLimits.optionsBytesMax : 0
        let most = min(rule.most + options, limits.maxFrame)
        guard header.length <= most else {
            throw WireError(.frameTooLarge, about: type, limit: most)
        }
        guard header.length >= rule.least else { throw WireError(.badLength, about: type) }

        let referenceFits =
            switch rule.reference {
            case .zero: header.ref == 0
            case .request: header.ref != 0
            case .zeroOrRequest: true
            }
        guard referenceFits else { throw WireError(.badField, about: type) }
    }
}
