import HubModel
import HubRules
import HubVocabulary
import HubWire

/// Judges who a device is: by its key, its certificate, or a token that admits new devices.
///
/// Source: rules C.2; Protocol, authentication.
struct Authenticator {
    /// The rules by which tokens are judged.
    var policies: AccessPolicies
    private let limits: SessionLimits
    private var identities: AddressRates

    /// Judges by some rules.
    init(_ policies: AccessPolicies, _ limits: SessionLimits) {
        self.policies = policies
        self.limits = limits
        identities = AddressRates(addressesMax: limits.rates.identityAddressesMax)
    }

    /// Returns the device that a HELLO proves to be.
    ///
    /// - Throws: the refusal to send.
    mutating func prove(
        _ hello: borrowing HelloFrame,
        _ peer: PeerIdentity,
        of hub: HubShard,
        random: inout SeededRandom,
        now: Now
    ) throws(HelloRejection) -> ProvenIdentity {
        let device = DeviceID(high: hello.message.deviceID.high, low: hello.message.deviceID.low)
        let generation = hub.keyGenerations[device] ?? 0
        switch hello.message.authMethod {
        case .none: throw HelloRejection(.authRequired)
        case .ed25519: throw HelloRejection(.unsupported, isFatal: true)
        case .token:
            guard device == .none else {
                throw HelloRejection(.authFailed, detail: "a token admits new devices only")
            }
            return try admitNew(hello, peer, of: hub, random: &random, now: now)
        case .deviceKey:
            switch KeyProof(hello, of: device, in: hub, exporter: peer.exporter) {
            case .present: break
            case .revoked: throw HelloRejection(.deviceRevoked)
            case .wrong: throw HelloRejection(.authFailed)
            }
        case .clientCertificate:
            guard peer.certificate != .none else { throw HelloRejection(.authRequired) }
            guard peer.certificate == .proves(device), hello.auth.isEmpty else {
                throw HelloRejection(.authFailed)
            }
            // A certificate proves the same key for ever; no other generation follows a revoked one.
            guard generation == 0 else { throw HelloRejection(.deviceRevoked) }
        }
        return ProvenIdentity(device: device, generation: generation)
    }

    /// A Listen token always makes a new identity, and only from HELLO without one.
    private mutating func admitNew(
        _ hello: borrowing HelloFrame,
        _ peer: PeerIdentity,
        of hub: HubShard,
        random: inout SeededRandom,
        now: Now
    ) throws(HelloRejection) -> ProvenIdentity {
        let grant: AccessGrant
        do throws(Refusal) {
            grant = try policies.authorizeDevice(token: hello.auth, hub: hub.name, now: now.time)
        } catch {
            throw HelloRejection(error.helloError, detail: error.detail)
        }
        guard mayMakeIdentity(peer, now: now) else {
            throw HelloRejection(.rateLimited, retryAfterMilliseconds: 10_000, isFatal: true)
        }
        return ProvenIdentity(device: DeviceID.make(random: &random), generation: 0, grant: grant)
    }

    private mutating func mayMakeIdentity(_ peer: PeerIdentity, now: Now) -> Bool {
        if peer.isLoopback { return true }
        return identities.take(
            peer.address,
            perSecond: limits.rates.identitiesPerSecond,
            burst: limits.rates.identitiesBurst,
            now: now.instant
        )
    }
}

extension Refusal {
    /// The error of a HELLO whose token is refused.
    fileprivate var helloError: ErrorNumber {
        switch self {
        case .tokenMissing: .authRequired
        case .tokenExpired: .authExpired
        case .missingRight: .forbidden
        case .hubNotFound: .unknownHub
        default: .authFailed
        }
    }
}
