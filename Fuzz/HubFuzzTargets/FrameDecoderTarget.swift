import HubWire

/// Frames of the device link, in both directions.
///
/// The first byte chooses direction and state; what follows is a stream of frames. Properties: a step
/// asks only for bytes that aren't there; every prefix of a frame asks for more; more bytes never
/// change an error; what decodes can be encoded, and decodes to the same again.
package func fuzzFrameDecoder(_ bytes: Span<UInt8>) {
    guard bytes.count > 0 else { return }
    let direction: Direction = bytes[0] & 1 == 0 ? .deviceToHub : .hubToDevice
    let states = DecodingState.allCases
    let state = states[Int(bytes[0] >> 1) % states.count]
    let receiver = FrameReceiver(
        direction: direction,
        state: state,
        limits: direction == .deviceToHub ? .hub : .device
    )
    var rest = bytes.dropping(1)
    while let consumed = receiver.receive(rest) {
        precondition(consumed > 0 && consumed <= rest.count, "consumed \(consumed)")
        rest = rest.dropping(consumed)
    }
}

/// One side of a connection, as far as decoding depends on it.
private struct FrameReceiver {
    let direction: Direction
    let state: DecodingState
    let limits: WireLimits

    /// The bytes of the first frame, or nil when the stream ends here.
    func receive(_ bytes: Span<UInt8>) -> Int? {
        do throws(WireError) {
            switch try step(bytes) {
            case .needMore(let needed):
                precondition(needed > bytes.count, "asks for \(needed), has \(bytes.count)")
                precondition(needed <= limits.maxFrame + WireLimits.frameHeaderBytes)
                return nil
            case .skip(let total):
                checkPrefixes(of: bytes.keeping(total))
                return total
            case .frame(let header):
                checkPrefixes(of: bytes.keeping(header.totalBytes))
                checkBody(header, header.body(of: bytes))
                return header.totalBytes
            }
        } catch {
            checkRefusal(error, bytes)
            return nil
        }
    }

    private func step(_ bytes: Span<UInt8>) throws(WireError) -> FrameStep {
        try FrameDecoder.step(bytes, direction: direction, state: state, limits: limits)
    }

    private func checkPrefixes(of frame: Span<UInt8>) {
        let cuts = [0, 1, 7, 8, 9, frame.count / 2, frame.count - 1]
        for cut in cuts where cut >= 0 && cut < frame.count {
            guard case .needMore(let needed)? = try? step(frame.keeping(cut)) else {
                preconditionFailure("\(cut) of \(frame.count) bytes didn't ask for more")
            }
            precondition(needed > cut && needed <= frame.count, "asks for \(needed) at \(cut)")
        }
    }

    /// The same error comes with the header alone, and short of that more is asked for.
    private func checkRefusal(_ error: WireError, _ bytes: Span<UInt8>) {
        do throws(WireError) {
            _ = try step(bytes.keeping(WireLimits.frameHeaderBytes))
            preconditionFailure("\(error) depends on bytes behind the header")
        } catch let early {
            precondition(early == error, "\(early) became \(error)")
        }
        guard case .needMore? = try? step(bytes.keeping(WireLimits.frameHeaderBytes - 1)) else {
            preconditionFailure("\(error) came before the header was there")
        }
    }

    private func checkBody(_ header: FrameHeader, _ body: Span<UInt8>) {
        var encoded: [UInt8] = []
        do throws(WireError) {
            encoded = try FrameCopy.bytes(header, body)
        } catch {
            precondition(error.aboutType == header.type.rawValue, "\(error) about another frame")
            return
        }
        do throws(WireError) {
            guard case .frame(let again) = try step(encoded.span) else {
                preconditionFailure("\(header.type) became incomplete")
            }
            precondition(again.type == header.type && again.ref == header.ref)
            precondition(again.totalBytes == encoded.count, "bytes behind \(header.type)")
            let twice = try FrameCopy.bytes(again, again.body(of: encoded.span))
            precondition(twice == encoded, "\(header.type) changed on the second way")
        } catch {
            preconditionFailure("\(header.type) was encoded to what decodes to \(error)")
        }
    }
}
