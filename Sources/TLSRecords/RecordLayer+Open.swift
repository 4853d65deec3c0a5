// Received bytes, record by record. Each refusal gives the alert that OpenSSL gives.
extension RecordLayer {
    /// The meaning of the bytes at the front of the input.
    package enum Opened: Equatable, Sendable {
        /// Not a whole record.
        case needsMore
        /// A record whose application data, perhaps none, was appended.
        case data
        /// A record that changed nothing.
        case nothing
        /// The peer's next keys hold from here; with `isAnswerWanted` ours must follow
        /// (`sealKeyUpdate`).
        case keyUpdate(isAnswerWanted: Bool)
        /// close_notify: nothing follows.
        case closed
        /// Must be answered with this alert; nothing may be opened any more.
        case failed(Alert)
        /// The peer has given up with an alert of this number; nothing may be opened any more.
        case alerted(UInt8)
    }

    /// Opens the record at the front of `input` into `output`, which has room for `input.count`.
    ///
    /// Nothing is appended but the content of authentic application data. `consumed` is how many
    /// bytes of the input are done with. The time is of any clock that does not go back.
    package mutating func open(
        _ input: Span<UInt8>,
        into output: inout OutputSpan<UInt8>,
        at nanoseconds: UInt64,
        within limits: RecordLimits,
        with cipher: any RecordCipher
    ) -> (result: Opened, consumed: Int) {
        let head = RecordLimits.headerBytes
        guard input.count >= head else { return (.needsMore, 0) }
        let header = input.extracting(0..<head)
        if let alert = Self.refusal(of: header) { return (.failed(alert), 0) }
        let end = head + Self.length(header)
        guard input.count >= end else { return (.needsMore, 0) }
        // A tag, and at least the content type in front of it.
        guard end > head + RecordLimits.tagBytes else { return (.failed(.badRecordMAC), end) }
        let start = output.count
        let isAuthentic = receiving.open(
            input.extracting(head..<end),
            header: header,
            into: &output,
            with: cipher
        )
        guard isAuthentic else { return (.failed(.badRecordMAC), end) }
        let result = read(&output, from: start, at: nanoseconds, within: limits)
        if case .keyUpdate = result, !receiving.update(with: cipher) {
            return (.failed(.internalError), end)
        }
        return (result, end)
    }

    /// Whether the bytes at the front of a stream are a part of a record with which nothing is wrong
    /// so far: then `open` would only say so.
    package static func awaitsMore(_ input: Span<UInt8>) -> Bool {
        guard input.count >= RecordLimits.headerBytes else { return true }
        let header = input.extracting(0..<RecordLimits.headerBytes)
        return refusal(of: header) == nil
            && input.count < RecordLimits.headerBytes + length(header)
    }

    /// Returns the alert that a record's first five bytes deserve; nil when they are in order.
    ///
    /// Source: RFC 8446 §5.1 and §5.2; after the handshake every record is encrypted.
    private static func refusal(of header: Span<UInt8>) -> Alert? {
        if header[1] != 3 { return .protocolVersion }
        if header[0] != RecordType.applicationData.rawValue { return .unexpectedMessage }
        if header[2] != 3 { return .decodeError }
        return length(header) > RecordLimits.ciphertextBytesMax ? .recordOverflow : nil
    }

    private static func length(_ header: Span<UInt8>) -> Int {
        Int(header[3]) << 8 | Int(header[4])
    }

    /// Reads what was decrypted to `output` behind `start`: content, its type, zeroes.
    ///
    /// Leaves the content there when it is application data, and nothing otherwise.
    private mutating func read(
        _ output: inout OutputSpan<UInt8>,
        from start: Int,
        at nanoseconds: UInt64,
        within limits: RecordLimits
    ) -> Opened {
        // Padding does not change the limit: RFC 8446 §5.4.
        let isTooLong = output.count - start > RecordLimits.plaintextBytesMax + 1
        while output.count > start, output[output.count - 1] == 0 { output.removeLast(1) }
        guard output.count > start, !isTooLong else {
            output.removeLast(output.count - start)
            return .failed(isTooLong ? .recordOverflow : .unexpectedMessage)
        }
        let type = RecordType(rawValue: output[output.count - 1])
        output.removeLast(1)
        if type == .applicationData, messageBytes == 0 {
            return take(data: output.count - start, at: nanoseconds, within: limits)
        }
        let result = take(
            type,
            output.span.extracting(start..<output.count),
            at: nanoseconds,
            within: limits
        )
        output.removeLast(output.count - start)
        return result
    }

    private mutating func take(
        _ type: RecordType?,
        _ content: Span<UInt8>,
        at nanoseconds: UInt64,
        within limits: RecordLimits
    ) -> Opened {
        switch type {
        case .handshake: take(handshake: content, at: nanoseconds, within: limits)
        // Nothing may come between the parts of a handshake message: RFC 8446 §5.1.
        case .alert where messageBytes == 0: take(alert: content, within: limits)
        case .alert, .applicationData, nil: .failed(.unexpectedMessage)
        }
    }

    private mutating func take(
        data count: Int,
        at nanoseconds: UInt64,
        within limits: RecordLimits
    ) -> Opened {
        if count == 0, emptyRecords.passes(limits.emptyRecordsPerMinute, at: nanoseconds) {
            return .failed(.unexpectedMessage)
        }
        if count > 0 { idleAlerts = 0 }
        return .data
    }

    /// An alert is one record of two bytes; its level says nothing in TLS 1.3.
    ///
    /// Source: RFC 8446 §6.
    private mutating func take(alert: Span<UInt8>, within limits: RecordLimits) -> Opened {
        let userCanceled: UInt8 = 90
        guard alert.count == 2 else { return .failed(.unexpectedMessage) }
        switch alert[1] {
        case Alert.closeNotify.rawValue:
            return .closed
        case userCanceled:
            idleAlerts += 1
            return idleAlerts > limits.idleAlerts ? .failed(.unexpectedMessage) : .nothing
        default:
            return .alerted(alert[1])
        }
    }

    /// Handshake messages may be cut anywhere, but a KeyUpdate must end its record.
    ///
    /// Source: RFC 8446 §4.6.3 and §5.1.
    private mutating func take(
        handshake content: Span<UInt8>,
        at nanoseconds: UInt64,
        within limits: RecordLimits
    ) -> Opened {
        guard !content.isEmpty else { return .failed(.unexpectedMessage) }
        idleAlerts = 0
        var index = 0
        while messageBytes < message.count, index < content.count {
            message[messageBytes] = content[index]
            messageBytes += 1
            index += 1
        }
        guard messageBytes == message.count else { return .nothing }
        guard message[0] == HandshakeMessage.keyUpdate else { return .failed(.unexpectedMessage) }
        let length = Int(message[1]) << 16 | Int(message[2]) << 8 | Int(message[3])
        guard length <= 1 else { return .failed(.illegalParameter) }
        if length == 1, index == content.count { return .nothing }
        guard index + length == content.count else { return .failed(.unexpectedMessage) }
        guard length == 1 else { return .failed(.decodeError) }
        guard content[index] <= 1 else { return .failed(.illegalParameter) }
        if keyUpdates.passes(limits.keyUpdatesPerMinute, at: nanoseconds) {
            return .failed(.unexpectedMessage)
        }
        messageBytes = 0
        return .keyUpdate(isAnswerWanted: content[index] == 1)
    }
}
