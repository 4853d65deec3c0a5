import HubRules
import HubTransport
import HubVocabulary

/// An order of the server, which a shard carries out on its thread.
enum ShardOrder: Sendable {
    /// Serve one more hub, and judge by these rules from now on.
    case open(ShardHub, AccessPolicies, ShardConfirmation)
    /// Serve a hub no longer: its sessions end; and judge by these rules from now on.
    case close(HubName, AccessPolicies, ShardConfirmation)
    /// Judge by other rules from now on.
    case policies(AccessPolicies, ShardConfirmation)
    /// Begin to drain: GOAWAY to every device, then an end.
    case drain(deadlineMilliseconds: UInt64)
    /// Show another certificate from the next handshake on; the closure hears when it cannot be
    /// used.
    case certificate(ServerTLS, onFailure: @Sendable (TransportError) -> Void)
    /// Hand over the shard's numbers.
    case inspect(ReportRequest)
}
