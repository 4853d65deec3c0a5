/// Sealing and opening the records of one TLS 1.3 connection after its handshake.
///
/// Begins with the first application traffic secrets, before either side has sealed a record with
/// them. A peer may send application data, alerts and KeyUpdates. Our handshake offers no feature
/// that needs another message. Knows no socket and no clock.
package struct RecordLayer: ~Copyable {
    var receiving = TrafficKeys()
    private var sending = TrafficKeys()
    /// Bytes of a handshake message that has begun, at most its header.
    var message: [4 of UInt8] = .init(repeating: 0)
    private var messageCount: UInt8 = 0
    private var alertCount: UInt8 = 0
    var keyUpdates = MinuteCount()
    var emptyRecords = MinuteCount()

    /// How many bytes of `message` there are.
    var messageBytes: Int {
        get { Int(messageCount) }
        set { messageCount = UInt8(newValue) }
    }

    /// Alerts in a row that said nothing; of more than 255 no more are told apart.
    var idleAlerts: Int {
        get { Int(alertCount) }
        set { alertCount = UInt8(clamping: newValue) }
    }

    /// A connection without keys; `begin` comes next, where the value stays.
    package init() {}

    /// Derives both directions' keys; each secret has as many bytes as the suite's hash.
    ///
    /// Returns false when the cipher is out of means.
    package mutating func begin(
        _ suite: CipherSuite,
        receivingSecret: Span<UInt8>,
        sendingSecret: Span<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        receiving.begin(suite, secret: receivingSecret, with: cipher)
            && sending.begin(suite, secret: sendingSecret, with: cipher)
    }

    // MARK: Sealing

    /// The bytes that `count` bytes of text take as records.
    package static func sealedBytes(_ count: Int) -> Int {
        let most = RecordLimits.plaintextBytesMax
        return count + (count + most - 1) / most * RecordLimits.overheadBytes
    }

    /// Bytes of an alert's or KeyUpdate's record, at most.
    package static let messageBytesMax = RecordLimits.overheadBytes + 5

    /// Appends `text` to `output` as records of at most 16 KiB.
    ///
    /// `output` has room for `sealedBytes(text.count)`. Returns false, and the connection must end,
    /// when the key is used up or the cipher is out of means.
    package mutating func seal(
        _ text: Span<UInt8>,
        into output: inout OutputSpan<UInt8>,
        within limits: RecordLimits,
        with cipher: any RecordCipher
    ) -> Bool {
        var start = 0
        while start < text.count {
            guard sending.sequence < limits.recordsPerKey else { return false }
            let end = min(start + RecordLimits.plaintextBytesMax, text.count)
            let isSealed = sending.seal(
                text.extracting(start..<end),
                type: RecordType.applicationData.rawValue,
                into: &output,
                with: cipher
            )
            guard isSealed else { return false }
            start = end
        }
        return true
    }

    /// Whether so few records are left for the key that the connection should end.
    ///
    /// This side begins no KeyUpdate: who comes back has new keys. Source: rules D.2.
    package func isWorn(_ limits: RecordLimits) -> Bool {
        sending.sequence + limits.recordsReserved >= limits.recordsPerKey
    }

    /// Appends an alert's record, for which there is always a number left.
    ///
    /// `output` has room for `messageBytesMax`.
    package mutating func seal(
        _ alert: Alert,
        into output: inout OutputSpan<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        let text: [2 of UInt8] = [alert.level, alert.rawValue]
        return sending.seal(
            text.span,
            type: RecordType.alert.rawValue,
            into: &output,
            with: cipher
        )
    }

    /// Appends a KeyUpdate that asks for nothing, and goes on to the next sending keys.
    ///
    /// `output` has room for `messageBytesMax`. Source: RFC 8446 §4.6.3.
    package mutating func sealKeyUpdate(
        into output: inout OutputSpan<UInt8>,
        with cipher: any RecordCipher
    ) -> Bool {
        let text: [5 of UInt8] = [HandshakeMessage.keyUpdate, 0, 0, 1, 0]
        let isSealed = sending.seal(
            text.span,
            type: RecordType.handshake.rawValue,
            into: &output,
            with: cipher
        )
        return isSealed && sending.update(with: cipher)
    }
}
