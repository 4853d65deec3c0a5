package import HubVocabulary

/// Tells handles that Belfry made from those of platforms' services.
///
/// Both may have the same form: an Apple token has 64 hex digits, as ours have. Only the code within
/// ours decides. A handle of ours is a secret between device and hub, so none may reach a service,
/// of whatever generation and of whatever hub of the namespace.
package struct HandleJudge: Sendable {
    /// A hub of the namespace, as far as its handles go.
    package struct Hub: Sendable {
        /// Its name.
        package let name: HubName
        /// The secret behind its handles.
        package let secret: HubSecret
        private let codes: KeyedCode
        private let beginning: [UInt8]

        /// Makes one of its parts.
        package init(name: HubName, secret: HubSecret) {
            self.name = name
            self.secret = secret
            codes = KeyedCode(key: secret.bytes)
            beginning = PushHandle.beginning(of: name)
        }

        /// Whether it made a handle's 32 bytes, in one of these key generations of its device.
        fileprivate func made(_ bytes: [UInt8], in generations: ClosedRange<UInt32>) -> Bool {
            codes.made(bytes, behind: beginning, in: generations)
        }
    }

    /// Generations that are tried for a device that the hub does not know any more.
    package static let generationsTried: UInt32 = 16

    private let hub: Hub
    private let others: [Hub]
    /// Handles that no hub has made.
    private var foreign = ForeignMemory()

    /// Judges for one hub, beside all others of its namespace.
    package init(hub: Hub, others: [Hub]) {
        self.hub = hub
        self.others = others
    }

    /// Whether Belfry made a handle.
    ///
    /// `generation` gives the present key generation of a device of this hub; nil when the hub does
    /// not know it.
    package mutating func verdict(
        _ handle: [UInt8],
        platform: Platform,
        keys: ForeignHandle.SubscriptionKeys? = nil,
        credential: CredentialKind?,
        browserHosts: [String] = [],
        generation: (DeviceID) -> UInt32?
    ) -> HandleVerdict {
        if let bytes = PushHandle.bytes(in: handle, platform: platform),
            let made = made(bytes, generation: generation)
        {
            return made
        }
        guard let credential, credential.platform == platform, credential.unusedBecause == nil
        else { return .noCredential }
        do throws(ForeignHandle.Unusable) {
            return .foreign(
                try ForeignHandle(
                    handle,
                    platform: platform,
                    keys: keys,
                    browserHosts: browserHosts
                )
            )
        } catch { return .unusable(error) }
    }

    /// The verdict on 32 bytes that a hub has made; nil when none has.
    ///
    /// To find out that none has costs a code for each generation of each hub, so such handles are
    /// remembered.
    private mutating func made(
        _ bytes: [UInt8],
        generation: (DeviceID) -> UInt32?
    ) -> HandleVerdict? {
        let device = DeviceID(
            high: UInt64(bigEndian: bytes),
            low: UInt64(bigEndian: bytes.dropFirst(8))
        )
        guard device != .none else { return nil }
        let present = generation(device)
        let last = max(present ?? 0, Self.generationsTried)
        guard !foreign.contains(bytes, generation: last) else { return nil }
        if let present, hub.made(bytes, in: present...present) { return .ours }
        guard
            !hub.made(bytes, in: 0...last),
            !others.contains(where: { $0.made(bytes, in: 0...Self.generationsTried) })
        else { return .oursButDead }
        foreign.insert(bytes, generation: last)
        return nil
    }
}
