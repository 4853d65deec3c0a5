import HubModel
import HubRules
import HubTransport
import HubVocabulary

/// Messages to a shard's thread from others.
enum ShardMail: Sendable {
    case hub(HubName, ShardMessage)
    /// One more hub, and the rules that hold from now on.
    case open(ShardHub, AccessPolicies, ShardConfirmation)
    /// A hub that is no more: its sessions end; and the rules that hold from now on.
    case close(HubName, AccessPolicies, ShardConfirmation)
    /// Other rules from now on.
    case policies(AccessPolicies, ShardConfirmation)
    /// Begin to drain: GOAWAY to every device, then an end.
    case drain(spreadMilliseconds: UInt32, deadlineMilliseconds: UInt64)
    /// Another certificate from the next handshake on; the closure hears when it cannot be used.
    case certificate(ServerTLS, onFailure: @Sendable (TransportError) -> Void)
    /// The shard's numbers, handed over on its thread.
    case inspect(ReportRequest)
}
