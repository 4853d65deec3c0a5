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

    /// Handles that are remembered as foreign at most.
    private static let foreignMax = 32_768

    private let hub: Hub
    private let others: [Hub]
    /// The digits of handles that no hub has made, and the generation for which that was found out.
    private var foreign: Set<Foreign> = []

    private struct Foreign: Hashable {
        let high: UInt64
        let low: UInt64
        let code: UInt64
        let check: UInt64
        let generation: UInt32
    }

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
        if let device = PushHandle.claimedDevice(in: handle, platform: platform),
            let digits = PushHandle.digits(in: handle, platform: platform)
        {
            let present = generation(device)
            if let present, isMade(digits, by: hub, generations: present...present) { return .ours }
            let last = max(present ?? 0, Self.generationsTried)
            if isDead(digits, through: last) { return .oursButDead }
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

    /// Whether this hub made a handle in a generation up to one, or another hub did.
    ///
    /// That costs a code for each generation of each hub, so the handles that neither made
    /// are remembered.
    private mutating func isDead(_ digits: [UInt8], through last: UInt32) -> Bool {
        let words = stride(from: 0, to: digits.count, by: 16).compactMap { start -> UInt64? in
            HexText.number(digits[start..<min(start + 16, digits.count)])
        }
        guard words.count == 4 else { return false }
        let handle = Foreign(
            high: words[0],
            low: words[1],
            code: words[2],
            check: words[3],
            generation: last
        )
        guard !foreign.contains(handle) else { return false }
        let isOurs =
            isMade(digits, by: hub, generations: 0...last)
            || others.contains { isMade(digits, by: $0, generations: 0...Self.generationsTried) }
        guard !isOurs else { return true }
        if foreign.count >= Self.foreignMax { foreign.removeAll(keepingCapacity: true) }
        foreign.insert(handle)
        return false
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
