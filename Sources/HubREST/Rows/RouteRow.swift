package import HubVocabulary

/// One operation of the REST surface: everything that finding, authorising, reading, counting and
/// describing a request need to know of it.
///
/// Source: REST §1.3.
package struct RouteRow: Sendable {
    /// Carries the operation out, once the request is authorised and its body is read.
    typealias Handler = @Sendable (Exchange) async throws(RequestFailure) -> Answer
    /// Carries out an operation on the namespace, once its request is authorised and read.
    typealias NamespaceHandler =
        @Sendable (NamespaceExchange) async throws(RequestFailure) -> Answer
    /// Carries out an operation that needs no token and concerns no hub.
    typealias OpenHandler = @Sendable (OpenExchange) async throws(RequestFailure) -> Answer

    /// Answers about the node that is asked.
    typealias NodeHandler =
        @Sendable (any NodeService) async throws(RequestFailure) -> Answer

    enum Run: Sendable {
        case node(AccessRight?, NodeHandler)
        case open(OpenHandler)
        case hub(AccessRight, Handler)
        case namespace(AccessRight, isOpenToHub: Bool, NamespaceHandler)
    }

    /// The label for counting and for documents: letters only, unique.
    package let name: String
    /// Upper case.
    package let method: String
    /// Where it is found.
    package let path: PathPattern
    /// Which of the operations of one method and path it is.
    package let when: QuerySelector
    /// One sentence without a full stop.
    package let summary: String
    /// The use of its body.
    package let body: BodyUse
    /// Query fields, headers and path parts that mean something to it.
    package let inputs: [InputNote]
    /// Its answers when all is well.
    package let answers: [AnswerNote]
    /// The statuses of its own refusals; those that all such operations share are added.
    package let refusals: [Int]
    let run: Run

    /// The right that a token must have; nil when none is needed.
    package var right: AccessRight? {
        switch run {
        case .open: nil
        case .node(let right, _): right
        case .hub(let right, _), .namespace(let right, _, _): right
        }
    }

    /// Whether it changes something that administrators decide: hubs, keys, settings, devices, jobs.
    package var isAdministrative: Bool { right == .manage && method != "GET" && !isDryRun }

    /// Whether it only shows what a send would do.
    private var isDryRun: Bool { name == "previewSend" }

    /// Whether a request counts as a use of its key.
    ///
    /// An operator who changes keys looks at their uses, which must not hold the change up; scrapers
    /// have a token that the server renews by itself.
    var isUseOfKey: Bool { !isAboutKeys && name != "metrics" }

    private var isAboutKeys: Bool { path.description.hasSuffix("/$belfry/keys") }

    /// Whether only rules of the namespace count, and not those of the hub that it is about.
    package var isOfNamespace: Bool {
        switch run {
        case .node(let right, _): right != nil
        case .namespace(_, let isOpenToHub, _): !isOpenToHub
        case .open, .hub: false
        }
    }

    /// Whether it is about the node that is asked, and needs no hub.
    package var isOfNode: Bool {
        if case .node = run { true } else { false }
    }

    /// Every status that it may answer with, ascending; anything else is a defect.
    package var statuses: [Int] {
        var all = Set(answers.map(\.status) + refusals)
        if right != nil { all.formUnion([401, 403, 404, 429, 500, 503]) }
        if right != nil, method != "GET" { all.insert(507) }
        if case .read = body { all.formUnion([400, 408, 411, 413]) }
        return all.sorted()
    }
}

extension RouteRow {
    /// An operation on a hub, for tokens with `right`.
    ///
    /// Source: REST §3.5.
    init(
        _ name: String,
        _ method: String,
        _ path: PathPattern,
        when: QuerySelector = .always,
        _ summary: String,
        needs right: AccessRight,
        body: BodyUse = .ignored,
        inputs: [InputNote] = [],
        answers: [AnswerNote],
        refusals: [Int] = [],
        run: @escaping Handler
    ) {
        self.init(
            name: name,
            method: method,
            path: path,
            when: when,
            summary: summary,
            body: body,
            inputs: inputs,
            answers: answers,
            refusals: refusals,
            run: .hub(right, run)
        )
    }

    /// An operation on the namespace's hubs, for tokens of the namespace with `right`; where it is
    /// open to the hub that it is about, for tokens of that hub too.
    ///
    /// Source: REST §3.5, §14.
    init(
        _ name: String,
        _ method: String,
        _ path: PathPattern,
        _ summary: String,
        ofNamespace right: AccessRight,
        isOpenToHub: Bool = false,
        body: BodyUse = .ignored,
        inputs: [InputNote] = [],
        answers: [AnswerNote],
        refusals: [Int] = [],
        run: @escaping NamespaceHandler
    ) {
        self.init(
            name: name,
            method: method,
            path: path,
            when: .always,
            summary: summary,
            body: body,
            inputs: inputs,
            answers: answers,
            refusals: refusals,
            run: .namespace(right, isOpenToHub: isOpenToHub, run)
        )
    }

    /// An operation about the node that is asked, for tokens of the namespace with `right`; nil
    /// needs none.
    ///
    /// Source: Decisions/AnyNodeServes.
    init(
        _ name: String,
        _ path: PathPattern,
        _ summary: String,
        ofNode right: AccessRight?,
        inputs: [InputNote] = [],
        answers: [AnswerNote],
        run: @escaping NodeHandler
    ) {
        self.init(
            name: name,
            method: "GET",
            path: path,
            when: .always,
            summary: summary,
            body: .ignored,
            inputs: inputs,
            answers: answers,
            refusals: [],
            run: .node(right, run)
        )
    }

    /// An operation that needs no token.
    init(
        _ name: String,
        _ method: String,
        _ path: PathPattern,
        _ summary: String,
        inputs: [InputNote] = [],
        answers: [AnswerNote],
        refusals: [Int] = [],
        open run: @escaping OpenHandler
    ) {
        self.init(
            name: name,
            method: method,
            path: path,
            when: .always,
            summary: summary,
            body: .ignored,
            inputs: inputs,
            answers: answers,
            refusals: refusals,
            run: .open(run)
        )
    }
}
