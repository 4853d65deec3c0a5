/// Appends one frame to bytes that the caller owns, and takes it back when a field does not fit.
struct WireWriter {
    private let type: FrameType
    private let start: Int

    /// Appends a header whose length is patched by `finish`.
    init(_ type: FrameType, ref: UInt16 = 0, into bytes: inout [UInt8]) {
        self.type = type
        start = bytes.count
        bytes.append(type.rawValue)
        bytes.append(0)
        bytes.appendInteger(ref)
        bytes.appendInteger(UInt32(0))
    }

    /// Where the body begins.
    var bodyStart: Int { start + WireLimits.frameHeaderBytes }

    /// Writes the length into the header.
    func finish(_ bytes: inout [UInt8]) {
        let length = bytes.count - bodyStart
        precondition(length <= type.rule.most, "\(type.name) of \(length) bytes")
        bytes.patch(UInt32(truncatingIfNeeded: length), at: start + 4)
    }

    /// Writes the length into the header, or removes the frame and throws FRAME_TOO_LARGE.
    func finishChecked(_ bytes: inout [UInt8]) throws(WireError) {
        let length = bytes.count - bodyStart
        guard length <= type.rule.most else {
            throw refuse(.frameTooLarge, limit: type.rule.most, &bytes)
        }
        finish(&bytes)
    }

    /// Appends `str8`, or removes the frame and throws what a decoder would.
    func str8(_ text: String, max: Int, into bytes: inout [UInt8]) throws(WireError) {
        let units = Array(text.utf8)
        guard units.count <= max else { throw refuse(.badField, limit: max, &bytes) }
        guard TextRule.accepts(units.span) else { throw refuse(.badUTF8, limit: 0, &bytes) }
        bytes.append(UInt8(truncatingIfNeeded: units.count))
        bytes.append(contentsOf: units)
    }

    /// Appends `bytes16`, or removes the frame and throws BAD_FIELD.
    func bytes16(_ content: [UInt8], max: Int, into bytes: inout [UInt8]) throws(WireError) {
        guard content.count <= max else { throw refuse(.badField, limit: max, &bytes) }
        bytes.appendInteger(UInt16(truncatingIfNeeded: content.count))
        bytes.append(contentsOf: content)
    }

    /// Appends a tag list, or removes the frame and throws BAD_TAGS.
    ///
    /// Only what cannot be written is refused here; what tags are allowed is the hub's to say.
    func tagList(_ tags: [[UInt8]], into bytes: inout [UInt8]) throws(WireError) {
        var total = 0
        for tag in tags {
            guard 1...255 ~= tag.count else { throw refuse(.badTags, limit: 255, &bytes) }
            total += 1 + tag.count
        }
        guard total <= Int(UInt16.max) else { throw refuse(.badTags, limit: 65_535, &bytes) }
        bytes.appendInteger(UInt16(truncatingIfNeeded: tags.count))
        bytes.appendInteger(UInt16(truncatingIfNeeded: total))
        for tag in tags {
            bytes.append(UInt8(truncatingIfNeeded: tag.count))
            bytes.append(contentsOf: tag)
        }
    }

    /// Removes the frame and names the reason.
    func refuse(_ number: ErrorNumber, limit: Int, _ bytes: inout [UInt8]) -> WireError {
        bytes.removeSubrange(start...)
        return WireError(number, about: type, limit: limit)
    }
}

extension [UInt8] {
    /// Appends an integer, big-endian.
    mutating func appendInteger(_ value: some FixedWidthInteger & UnsignedInteger) {
        // As one piece the array is asked once, and not for each byte, whether it is shared.
        append(addingCapacity: value.bitWidth / 8) { output in
            var shift = value.bitWidth
            while shift > 0 {
                shift -= 8
                output.append(UInt8(truncatingIfNeeded: value >> shift))
            }
        }
    }

    /// Overwrites an integer, big-endian.
    mutating func patch(_ value: some FixedWidthInteger & UnsignedInteger, at index: Int) {
        var shift = value.bitWidth
        var position = index
        while shift > 0 {
            shift -= 8
            self[position] = UInt8(truncatingIfNeeded: value >> shift)
            position += 1
        }
    }

    /// Appends bytes of 255 at most behind their length.
    mutating func appendBytes8(_ content: [UInt8]) {
        append(UInt8(content.count))
        append(contentsOf: content)
    }

    /// Appends `str8` for a text that people read: cut at `max` bytes, what is not text as `?`.
    ///
    /// Such a text may quote what a peer sent, so it is made to fit instead of refused.
    mutating func appendDetail(_ text: String, max: Int) {
        let units = Array(text.utf8)
        let lengthIndex = count
        append(0)
        var index = 0
        while index < units.count {
            let length = TextRule.scalarLength(units.span, at: index)
            let step = Swift.max(1, length)
            guard count - lengthIndex - 1 + step <= max else { break }
            if length == 0 {
                append(UInt8(ascii: "?"))
            } else {
                append(contentsOf: units[index..<(index + step)])
            }
            index += step
        }
        self[lengthIndex] = UInt8(count - lengthIndex - 1)
    }

    /// The bytes of a borrowed view.
    init(copying span: Span<UInt8>) {
        self.init()
        append(copying: span)
    }

    /// Appends the bytes of a borrowed view.
    mutating func append(copying span: Span<UInt8>) {
        append(addingCapacity: span.count) { output in
            for index in span.indices { output.append(span[index]) }
        }
    }
}

extension String {
    /// Text that a `str8` held.
    init(copying span: Span<UInt8>) {
        self.init(decoding: [UInt8](copying: span), as: UTF8.self)
    }
}
