package import HubVocabulary

/// Whom an explanation is about.
package enum ExplainSubject: Hashable, Sendable {
    /// A device, by its id.
    case device(DeviceID)
    /// The device behind a push handle, in its canonical spelling.
    case handle([UInt8])
    /// A registration, by its external id.
    case registration(id: [UInt8])
    /// An installation, by its id: the registrations it stands for.
    case installation(id: [UInt8])
}

extension ExplainSubject {
    /// Reads a device's id, 32 hex digits or as a UUID, or its push handle of 64 digits; nil when
    /// it is neither.
    package init?(device text: [UInt8]) {
        let digits = text.filter { $0 != UInt8(ascii: "-") }
        guard let bytes = HexText.decode(digits.span) else { return nil }
        switch bytes.count {
        case 16:
            let high = UInt64(bigEndian: bytes)
            self = .device(DeviceID(high: high, low: UInt64(bigEndian: bytes.dropFirst(8))))
        case PushHandle.byteCount: self = .handle(HexText.encode(bytes))
        default: return nil
        }
    }
}
