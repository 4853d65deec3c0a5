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

        /// Makes one of its parts.
        package init(name: HubName, secret: HubSecret) {
            self.name = name
            self.secret = secret
        }
    }

    /// Generations that are tried for a device that the hub does not know any more.
    package static let generationsTried: UInt32 = 16

    private let hub: Hub
    private let others: [Hub]

    /// Judges for one hub, beside all others of its namespace.
    package init(hub: Hub, others: [Hub]) {
        self.hub = hub
        self.others = others
    }

    /// Whether Belfry made a handle.
    ///
    /// `generation` gives the present key generation of a device of this hub; nil when the hub does
    /// not know it.
    package func verdict(
        _ handle: [UInt8],
        platform: Platform,
        keys: ForeignHandle.SubscriptionKeys? = nil,
        credential: CredentialKind?,
        browserHosts: [String] = [],
        generation: (DeviceID) -> UInt32?
    ) -> HandleVerdict {
        if let device = PushHandle.claimedDevice(in: handle, platform: platform),
            let digits = PushHandle.digits(in: handle, platform: platform)
        {
            let present = generation(device)
            if let present, isMade(digits, by: hub, generations: present...present) { return .ours }
            let last = max(present ?? 0, Self.generationsTried)
            if isMade(digits, by: hub, generations: 0...last)
                || others.contains(where: {
                    isMade(digits, by: $0, generations: 0...Self.generationsTried)
                })
            {
                return .oursButDead
            }
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

    private func isMade(
        _ digits: [UInt8],
        by hub: Hub,
        generations: ClosedRange<UInt32>
    ) -> Bool {
        generations.contains { generation in
            PushHandle.verify(
                text: digits.span,
                hub: hub.name,
                secret: hub.secret,
                generation: { _ in generation }
            ) != nil
        }
    }
}
