/// One entry of the project that bytes from strangers reach, with the properties that must hold.
///
/// A target traps when a property doesn't hold; returning means that the input was handled. The
/// fuzzers, the replay of the corpus and the mutation tests all call the same function.
package struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What `FUZZ_TARGET` says for it; names the folders `corpus/<name>` and `regressions/<name>`.
    package let name: String
    /// Handles one input.
    package let run: @Sendable (Span<UInt8>) -> Void

    /// The name.
    package var description: String { name }

    /// Every target but the canary.
    package static let all = [
        FuzzTarget(name: "FrameDecoder", run: fuzzFrameDecoder),
        FuzzTarget(name: "Parcel", run: fuzzParcel),
        FuzzTarget(name: "TagExpression", run: fuzzTagExpression),
        FuzzTarget(name: "TagIndex", run: fuzzTagIndex),
        FuzzTarget(name: "JSONTemplate", run: fuzzJSONTemplate),
        FuzzTarget(name: "XMLTemplate", run: fuzzXMLTemplate),
        FuzzTarget(name: "SASToken", run: fuzzSASToken),
        FuzzTarget(name: "Send", run: fuzzSend),
        FuzzTarget(name: "Batch", run: fuzzBatch),
        FuzzTarget(name: "SendLines", run: fuzzSendLines),
        FuzzTarget(name: "Installation", run: fuzzInstallation),
        FuzzTarget(name: "RegistrationRecord", run: fuzzRegistrationRecord),
        FuzzTarget(name: "NotificationRecord", run: fuzzNotificationRecord),
        FuzzTarget(name: "Group", run: fuzzGroup),
        FuzzTarget(name: "Bundle", run: fuzzBundle),
        FuzzTarget(name: "RelayAnswer", run: fuzzRelayAnswer),
        FuzzTarget(name: "ServiceFrames", run: fuzzServiceFrames),
        FuzzTarget(name: "CredentialFile", run: fuzzCredentialFile),
        FuzzTarget(name: "ForeignHandle", run: fuzzForeignHandle),
        FuzzTarget(name: "ProxyHeader", run: fuzzProxyHeader),
        FuzzTarget(name: "RecordOpener", run: fuzzRecordOpener),
        FuzzTarget(name: "RecordStream", run: fuzzRecordStream),
    ]

    /// The target that must crash, so that a run which reports no crash can be believed.
    package static let canary = FuzzTarget(name: "Canary", run: fuzzCanary)

    /// The target of a name, the canary among them; nil for an unknown one.
    package static func named(_ name: String) -> FuzzTarget? {
        (all + [canary]).first { $0.name == name }
    }
}

extension Span<UInt8> {
    /// The bytes from `start` on, none when there are not so many.
    @_lifetime(copy self)
    func dropping(_ start: Int) -> Span<UInt8> {
        extracting(Swift.min(start, count)..<count)
    }

    /// The bytes before `end`, all when there are not so many.
    @_lifetime(copy self)
    func keeping(_ end: Int) -> Span<UInt8> {
        extracting(0..<Swift.min(end, count))
    }

    /// A copy of the bytes.
    var copied: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(count)
        for index in indices { bytes.append(self[index]) }
        return bytes
    }
}
