package import TLSRecords

/// The other end of a record layer: seals whatever it is told to, right or wrong.
package final class RecordPeer {
    private var sending = TrafficKeys()
    private var layer = RecordLayer()
    private let cipher: any RecordCipher

    /// The peer of a layer that receives and sends with these secrets.
    package init(
        _ suite: CipherSuite = .aes128GCM,
        receiving: [UInt8],
        sending: [UInt8],
        cipher: any RecordCipher
    ) {
        self.cipher = cipher
        let isBegun = self.sending.begin(suite, secret: receiving.span, with: cipher)
        let isReady = layer.begin(
            suite,
            receivingSecret: sending.span,
            sendingSecret: receiving.span,
            with: cipher
        )
        precondition(isBegun && isReady, "no keys")
    }

    /// A record of any type with any padding.
    package func seal(_ content: [UInt8], type: UInt8 = 23, padding: Int = 0) -> [UInt8] {
        let zeroes = [UInt8](repeating: 0, count: padding)
        let inner = Array((content + [type] + zeroes).dropLast())
        // The byte that is sealed last is the type only without padding.
        let last = padding > 0 ? 0 : type
        return [UInt8](capacity: inner.count + RecordLimits.overheadBytes) { output in
            let isSealed = sending.seal(inner.span, type: last, into: &output, with: cipher)
            precondition(isSealed, "not sealed")
        }
    }

    /// A KeyUpdate, in records cut at the given places, after which this side has other keys.
    package func keyUpdate(asking: Bool, cuts: [Int] = []) -> [UInt8] {
        let message: [UInt8] = [24, 0, 0, 1, asking ? 1 : 0]
        var records: [UInt8] = []
        var start = 0
        for end in cuts + [message.count] {
            records += seal(Array(message[start..<end]), type: 22)
            start = end
        }
        let isUpdated = sending.update(with: cipher)
        precondition(isUpdated, "no keys")
        return records
    }

    /// What the other side sealed.
    package func open(_ stream: [UInt8]) -> Reception {
        layer.take(stream, with: cipher)
    }
}

/// What came of a stream of records.
package struct Reception: Equatable, Sendable {
    /// What each record was, up to the first that ends the connection.
    package var results: [RecordLayer.Opened] = []
    /// The application data of all of them.
    package var data: [UInt8] = []
    /// Bytes of the stream that are done with.
    package var consumed = 0
    /// What was sealed to answer key updates.
    package var answers: [UInt8] = []
}

extension RecordLayer {
    /// Opens a stream that arrives in parts, cut at the given places.
    package mutating func take(
        _ stream: [UInt8],
        cut places: [Int] = [],
        at nanoseconds: UInt64 = 0,
        within limits: RecordLimits = RecordLimits(),
        with cipher: any RecordCipher
    ) -> Reception {
        var reception = Reception()
        for end in places + [stream.count] {
            while true {
                let step = openNext(
                    Array(stream[reception.consumed..<end]),
                    into: &reception,
                    at: nanoseconds,
                    within: limits,
                    with: cipher
                )
                if step == .needsMore { break }
                switch step {
                case .closed, .failed, .alerted: return reception
                case .needsMore, .data, .nothing, .keyUpdate: continue
                }
            }
        }
        return reception
    }

    private mutating func openNext(
        _ input: [UInt8],
        into reception: inout Reception,
        at nanoseconds: UInt64,
        within limits: RecordLimits,
        with cipher: any RecordCipher
    ) -> Opened {
        var result = Opened.needsMore
        var consumed = 0
        let data = [UInt8](capacity: max(1, input.count)) { output in
            (result, consumed) = open(
                input.span,
                into: &output,
                at: nanoseconds,
                within: limits,
                with: cipher
            )
        }
        reception.consumed += consumed
        reception.data += data
        if result != .needsMore { reception.results.append(result) }
        if case .keyUpdate(isAnswerWanted: true) = result {
            reception.answers += [UInt8](capacity: Self.messageBytesMax) { output in
                let isSealed = sealKeyUpdate(into: &output, with: cipher)
                precondition(isSealed, "no keys")
            }
        }
        return result
    }

    /// Text as records; nil when it is refused.
    package mutating func sealed(
        _ text: [UInt8],
        within limits: RecordLimits = RecordLimits(),
        with cipher: any RecordCipher
    ) -> [UInt8]? {
        var isSealed = false
        let records = [UInt8](capacity: Self.sealedBytes(text.count)) { output in
            isSealed = seal(text.span, into: &output, within: limits, with: cipher)
        }
        return isSealed ? records : nil
    }

    /// An alert as a record.
    package mutating func sealed(_ alert: Alert, with cipher: any RecordCipher) -> [UInt8] {
        [UInt8](capacity: Self.messageBytesMax) { output in
            let isSealed = seal(alert, into: &output, with: cipher)
            precondition(isSealed, "not sealed")
        }
    }
}
