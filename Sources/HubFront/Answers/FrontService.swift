import HubModel
import HubREST
import HubRules
import HubTransport
import HubVocabulary

/// The node itself, as operators ask it while another leads: its numbers and its settings.
struct FrontService: NodeService {
    private let keys: FrontKeys
    private let numbers: @Sendable () -> String
    private let described: @Sendable () -> ServerDescription
    private let nodes: @Sendable () async -> ClusterReport

    /// Answers operators whom these keys let in.
    init(
        keys: FrontKeys,
        numbers: @escaping @Sendable () -> String,
        described: @escaping @Sendable () -> ServerDescription,
        nodes: @escaping @Sendable () async -> ClusterReport
    ) {
        self.keys = keys
        self.numbers = numbers
        self.described = described
        self.nodes = nodes
    }

    func authorize(_ request: AccessRequest) throws(Refusal) -> AccessGrant {
        try keys.authorize(request, now: now)
    }

    func authorizeNamespace(
        _ request: NamespaceAccessRequest
    ) throws(Refusal) -> AccessGrant {
        try keys.policies.authorizeNamespace(request, now: now)
    }

    func metrics(reply: @escaping @Sendable (String) -> Void) { reply(numbers()) }

    func cluster() async -> ClusterReport? { await nodes() }

    var description: ServerDescription { described() }

    var now: Timestamp { Clock.now.time }

    /// A hub that does not take a send is one of the leader's.
    var problems: [HubProblem] { [] }
}
