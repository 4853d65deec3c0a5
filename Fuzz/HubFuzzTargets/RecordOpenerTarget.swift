import TLSRecords

/// What a peer that has the keys may send after a handshake, record by record.
///
/// The first byte chooses suite and the size of fragments; then each step makes records, whole,
/// padded, changed or of types that are none, or bytes that are no record at all.
///
/// Properties: what is opened agrees with a plain model, record for record, alert for alert and
/// byte for byte; it is the same when the stream arrives in fragments; of a record that was changed
/// nothing is given away; and the peer reads what is sealed behind the answers to its key updates.
package func fuzzRecordOpener(_ bytes: Span<UInt8>) {
    guard !bytes.isEmpty else { return }
    var script = RecordScript(bytes)
    while script.stream.count < 50_000, let operation = script.byte() { script.step(operation) }
    let stream = script.stream
    let whole = OpenedStream(stream, fragment: stream.count + 1, suite: script.suite)
    // A long stream comes in some hundred pieces, not byte by byte.
    let fragment = max(1 + Int(bytes[0] >> 2), stream.count / 200)
    let parts = OpenedStream(stream, fragment: fragment, suite: script.suite)
    precondition(whole == parts, "\(whole) in one, \(parts) in parts")
    script.model.check(whole)
}

/// What came of a stream.
private struct OpenedStream: Equatable {
    var events: [RecordLayer.Opened] = []
    var data: [UInt8] = []

    init(_ stream: [UInt8], fragment: Int, suite: CipherSuite) {
        let cipher = ToyCipher()
        var layer = RecordLayer()
        var peer = RecordLayer()
        ToyCipher.begin(&layer, suite, receives: 1, sends: 2, with: cipher)
        ToyCipher.begin(&peer, suite, receives: 2, sends: 1, with: cipher)
        var start = 0
        var end = 0
        while end < stream.count {
            end = min(stream.count, end + fragment)
            while true {
                let (result, consumed, opened) = Self.next(&layer, stream, start..<end, cipher)
                precondition(consumed <= end - start, "\(consumed) of \(end - start) bytes")
                start += consumed
                if result == .needsMore { break }
                precondition(result == .data || opened.isEmpty, "\(result) gave data")
                events.append(result)
                data += opened
                switch result {
                case .closed, .failed, .alerted: return
                case .keyUpdate(isAnswerWanted: true): Self.answer(&layer, &peer, cipher)
                case .needsMore, .data, .nothing, .keyUpdate: continue
                }
            }
        }
    }

    private static func next(
        _ layer: inout RecordLayer,
        _ stream: [UInt8],
        _ range: Range<Int>,
        _ cipher: ToyCipher
    ) -> (RecordLayer.Opened, Int, [UInt8]) {
        var result = RecordLayer.Opened.needsMore
        var consumed = 0
        // More than a record's content has no room, so that a layer that takes more traps.
        let opened = [UInt8](capacity: min(range.count, RecordLimits.ciphertextBytesMax)) {
            output in
            (result, consumed) = layer.open(
                stream.span.extracting(range),
                into: &output,
                at: 0,
                within: RecordLimits(),
                with: cipher
            )
        }
        return (result, consumed, opened)
    }

    /// Answers a key update and has the peer read the answer and what follows.
    private static func answer(
        _ layer: inout RecordLayer,
        _ peer: inout RecordLayer,
        _ cipher: ToyCipher
    ) {
        let text: [UInt8] = [1, 2, 3]
        let answer = [UInt8](capacity: 100) { output in
            let isSealed =
                layer.sealKeyUpdate(into: &output, with: cipher)
                && layer.seal(text.span, into: &output, within: RecordLimits(), with: cipher)
            precondition(isSealed, "not sealed")
        }
        let update = next(&peer, answer, 0..<answer.count, cipher)
        precondition(update.0 == .keyUpdate(isAnswerWanted: false), "\(update.0) as an answer")
        let data = next(&peer, answer, update.1..<answer.count, cipher)
        precondition(data.0 == .data && data.2 == text, "\(data.0) behind an answer")
    }
}

/// The peer's side: steps to records, and what must come of them.
private struct RecordScript: ~Copyable, ~Escapable {
    let suite: CipherSuite
    private(set) var stream: [UInt8] = []
    private(set) var model = RecordModel()
    private let bytes: Span<UInt8>
    private var position = 1
    private let cipher = ToyCipher()
    private var keys = TrafficKeys()

    @_lifetime(copy bytes)
    init(_ bytes: Span<UInt8>) {
        self.bytes = bytes
        suite = CipherSuite.allCases[Int(bytes[0]) % CipherSuite.allCases.count]
        ToyCipher.begin(&keys, suite, number: 1, with: cipher)
    }

    mutating func byte() -> UInt8? {
        guard position < bytes.count else { return nil }
        position += 1
        return bytes[position - 1]
    }

    private mutating func take(_ count: Int) -> [UInt8] {
        let taken = bytes.dropping(position).keeping(count).copied
        position += taken.count
        return taken
    }

    mutating func step(_ operation: UInt8) {
        let argument = Int(operation >> 3)
        switch operation & 7 {
        case 0: seal(take(argument), type: 23)
        case 1: seal(take(Int(byte() ?? 0)), type: 23, padding: argument)
        case 2: seal(take(argument & 7), type: 22, padding: argument >> 3)
        case 3: seal(take(2), type: 21, padding: argument)
        case 4: seal(take(argument), type: byte() ?? 0)
        case 5: update(isAsking: argument & 1 == 1, cut: argument >> 1 & 3)
        case 6:
            let number = Int(byte() ?? 0) << 8 | Int(byte() ?? 0)
            // Long records cost time; only those at the limit are worth it.
            let count = (16_368...16_384).contains(number) ? number : number & 511
            seal(
                [UInt8](repeating: byte() ?? 0, count: count),
                type: 23,
                padding: argument
            )
        default:
            if argument & 1 == 0 { return sealChanged(argument >> 1) }
            let other = take(argument >> 1)
            stream += other
            if !other.isEmpty { model.confuse() }
        }
    }

    private mutating func seal(_ content: [UInt8], type: UInt8, padding: Int = 0) {
        let inner = content + [type] + [UInt8](repeating: 0, count: padding)
        stream += record(inner)
        model.take(inner)
        guard model.isUpdating else { return }
        let isUpdated = keys.update(with: cipher)
        precondition(isUpdated, "no keys")
    }

    /// A record with one bit that was changed on its way.
    private mutating func sealChanged(_ argument: Int) {
        var record = record(take(argument) + [23])
        let place = Int(byte() ?? 0) % (record.count - RecordLimits.headerBytes)
        record[RecordLimits.headerBytes + place] ^= 1 << UInt8(argument & 7)
        stream += record
        model.fail(.badRecordMAC)
    }

    private mutating func update(isAsking: Bool, cut: Int) {
        let message: [UInt8] = [24, 0, 0, 1, isAsking ? 1 : 0]
        if cut > 0 { seal(Array(message[..<cut]), type: 22) }
        seal(Array(message[cut...]), type: 22)
    }

    private mutating func record(_ inner: [UInt8]) -> [UInt8] {
        [UInt8](capacity: inner.count + RecordLimits.overheadBytes) { output in
            let text = inner.span.extracting(0..<inner.count - 1)
            let isSealed = keys.seal(
                text,
                type: inner[inner.count - 1],
                into: &output,
                with: cipher
            )
            precondition(isSealed, "not sealed")
        }
    }
}

/// The rules once more, without bytes in place, keys or fragments.
private struct RecordModel {
    private var events: [RecordLayer.Opened] = []
    private var data: [UInt8] = []
    private var message: [UInt8] = []
    private var updates = 0
    private var empties = 0
    private var silences = 0
    private var isOver = false
    /// From here on anything may follow but data.
    private var isConfused = false
    /// Whether the last record changed the peer's keys.
    private(set) var isUpdating = false

    mutating func confuse() { isConfused = true }

    mutating func fail(_ alert: Alert) {
        isUpdating = false
        end(.failed(alert))
    }

    private mutating func end(_ event: RecordLayer.Opened) {
        if isOver || isConfused { return }
        events.append(event)
        isOver = true
    }

    mutating func take(_ inner: [UInt8]) {
        isUpdating = false
        if isOver || isConfused { return }
        if inner.count > 16_385 { return fail(.recordOverflow) }
        guard let last = inner.lastIndex(where: { $0 != 0 }) else {
            return fail(.unexpectedMessage)
        }
        let content = Array(inner[..<last])
        switch (inner[last], message.isEmpty) {
        case (23, true):
            empties += content.isEmpty ? 1 : 0
            if content.isEmpty, empties > 32 { return fail(.unexpectedMessage) }
            if !content.isEmpty { silences = 0 }
            data += content
            events.append(.data)
        case (22, _): take(message: content)
        case (21, true): take(alert: content)
        default: fail(.unexpectedMessage)
        }
    }

    private mutating func take(alert: [UInt8]) {
        if alert.count != 2 { return fail(.unexpectedMessage) }
        if alert[1] == 0 { return end(.closed) }
        if alert[1] != 90 { return end(.alerted(alert[1])) }
        silences += 1
        if silences > 4 { fail(.unexpectedMessage) } else { events.append(.nothing) }
    }

    private mutating func take(message part: [UInt8]) {
        if part.isEmpty { return fail(.unexpectedMessage) }
        silences = 0
        message += part
        if message.count < 4 { return events.append(.nothing) }
        let length = message[1...3].reduce(0) { $0 << 8 | Int($1) }
        if message[0] != 24 { return fail(.unexpectedMessage) }
        if length > 1 { return fail(.illegalParameter) }
        if message.count < 4 + length { return events.append(.nothing) }
        if message.count > 4 + length { return fail(.unexpectedMessage) }
        if length == 0 { return fail(.decodeError) }
        if message[4] > 1 { return fail(.illegalParameter) }
        updates += 1
        if updates > 8 { return fail(.unexpectedMessage) }
        isUpdating = true
        events.append(.keyUpdate(isAnswerWanted: message[4] == 1))
        message = []
    }

    func check(_ opened: OpenedStream) {
        precondition(opened.data == data, "\(opened.data.count) bytes, not \(data.count)")
        let known = isConfused ? Array(opened.events.prefix(events.count)) : opened.events
        precondition(known == events, "\(opened.events), not \(events)")
    }
}

/// A cipher that is quick and proves nothing to anybody, but notices every change by chance.
private final class ToyCipher: RecordCipher {
    static func begin(
        _ keys: inout TrafficKeys,
        _ suite: CipherSuite,
        number: UInt8,
        with cipher: ToyCipher
    ) {
        let secret = [UInt8](repeating: number, count: suite.hash.bytes)
        let isBegun = keys.begin(suite, secret: secret.span, with: cipher)
        precondition(isBegun, "no keys")
    }

    static func begin(
        _ layer: inout RecordLayer,
        _ suite: CipherSuite,
        receives: UInt8,
        sends: UInt8,
        with cipher: ToyCipher
    ) {
        let receiving = [UInt8](repeating: receives, count: suite.hash.bytes)
        let sending = [UInt8](repeating: sends, count: suite.hash.bytes)
        let isBegun = layer.begin(
            suite,
            receivingSecret: receiving.span,
            sendingSecret: sending.span,
            with: cipher
        )
        precondition(isBegun, "no keys")
    }

    func seal(
        _ text: Span<UInt8>,
        type: UInt8,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        var stream = Mixer(key, nonce, header)
        var tag = stream
        for index in 0...text.count {
            let byte = (index < text.count ? text[index] : type) ^ stream.next()
            tag.mix(byte)
            output.append(byte)
        }
        for _ in 0..<16 { output.append(tag.next()) }
        return true
    }

    func open(
        _ sealed: Span<UInt8>,
        header: Span<UInt8>,
        suite: CipherSuite,
        key: Span<UInt8>,
        nonce: Span<UInt8>,
        into output: inout OutputSpan<UInt8>
    ) -> Bool {
        var stream = Mixer(key, nonce, header)
        var tag = stream
        let count = sealed.count - 16
        for index in 0..<count { tag.mix(sealed[index]) }
        for index in count..<sealed.count where sealed[index] != tag.next() { return false }
        for index in 0..<count { output.append(sealed[index] ^ stream.next()) }
        return true
    }

    func authenticate(
        _ message: Span<UInt8>,
        key: Span<UInt8>,
        hash: HashFunction,
        count: Int,
        into code: inout MutableSpan<UInt8>
    ) -> Bool {
        var mixer = Mixer(key, message, message)
        for index in 0..<count { code[index] = mixer.next() }
        return true
    }

    func wipe(_ bytes: inout MutableSpan<UInt8>) {
        for index in bytes.indices { bytes[index] = 0 }
    }

    private struct Mixer {
        private var state: UInt64 = 0xCBF2_9CE4_8422_2325

        init(_ first: Span<UInt8>, _ second: Span<UInt8>, _ third: Span<UInt8>) {
            for index in first.indices { mix(first[index]) }
            for index in second.indices { mix(second[index]) }
            for index in third.indices { mix(third[index]) }
        }

        mutating func mix(_ byte: UInt8) { state = (state ^ UInt64(byte)) &* 0x0100_0000_01B3 }

        mutating func next() -> UInt8 {
            mix(0x5C)
            return UInt8(truncatingIfNeeded: state >> 56 ^ state >> 23)
        }
    }
}
