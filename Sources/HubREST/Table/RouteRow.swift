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

    enum Run: Sendable {
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
    /// What its body means.
    package let body: BodyUse
    /// Query fields, headers and path parts that mean something to it.
    package let inputs: [InputNote]
    /// What it answers when all is well.
    package let answers: [AnswerNote]
    /// The statuses of its own refusals; those that all such operations share are added.
    package let refusals: [Int]
    let run: Run

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
        self.name = name
        self.method = method
        self.path = path
        self.when = when
        self.summary = summary
        self.body = body
        self.inputs = inputs
        self.answers = answers
        self.refusals = refusals
        self.run = .hub(right, run)
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
        self.name = name
        self.method = method
        self.path = path
        when = .always
        self.summary = summary
        self.body = body
        self.inputs = inputs
        self.answers = answers
        self.refusals = refusals
        self.run = .namespace(right, isOpenToHub: isOpenToHub, run)
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
        self.name = name
        self.method = method
        self.path = path
        when = .always
        self.summary = summary
        body = .ignored
        self.inputs = inputs
        self.answers = answers
        self.refusals = refusals
        self.run = .open(run)
    }

    /// The right that a token must have; nil when none is needed.
    package var right: AccessRight? {
        switch run {
        case .open: nil
        case .hub(let right, _), .namespace(let right, _, _): right
        }
    }

    /// Whether only rules of the namespace count, and not those of the hub that it is about.
    package var isOfNamespace: Bool {
        if case .namespace(_, isOpenToHub: false, _) = run { true } else { false }
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

/// What a query must have for a row to be meant, where several share method and path.
package enum QuerySelector: Hashable, Sendable {
    /// Anything; the last row of its method and path.
    case always
    /// A field is there, whatever its value, such as `$filter`; the name is in lower case.
    case present(String)
    /// A flag is on, such as `direct`; the name is in lower case.
    ///
    /// Source: REST §2.1.
    case flag(String)

    func selects(_ target: RequestTarget) -> Bool {
        switch self {
        case .always: true
        case .present(let name): target.value(name) != nil
        case .flag(let name): target.flag(name)
        }
    }
}

/// What an operation does with the body of its request.
package enum BodyUse: Sendable {
    /// Nothing; it is not read.
    case ignored
    /// Reads it whole.
    case read(BodyNote)
}

/// A body that is read.
package struct BodyNote: Sendable {
    /// Media types that clients send; none is ever refused.
    ///
    /// Source: REST §2.3.
    package let types: [String]
    /// What it holds.
    package let text: String
    /// A complete example; nil when there is none of general use.
    package let example: String?
    /// Bytes at most; nil is the configuration's `bodyBytesMax`.
    package let bytesMax: Int?
    /// Its JSON schema in the document; nil where it is plain text or of no fixed form.
    package let schema: String?
    /// Whether an empty body is refused.
    package let isRequired: Bool

    /// Describes a body.
    init(
        _ types: [String],
        _ text: String,
        example: String? = nil,
        bytesMax: Int? = nil,
        schema: String? = nil,
        isRequired: Bool = true
    ) {
        self.types = types
        self.text = text
        self.example = example
        self.bytesMax = bytesMax
        self.schema = schema
        self.isRequired = isRequired
    }
}

/// A part of a request besides its body.
package struct InputNote: Sendable {
    /// Where it stands; raw values are OpenAPI's.
    package enum Place: String, Sendable {
        case path
        case query
        case header
    }

    /// Where it stands.
    package let place: Place
    /// As clients write it.
    package let name: String
    /// One or two sentences.
    package let text: String
    /// Its form.
    package let form: ValueForm

    /// Describes a part of the path.
    static func path(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .path, name: name, text: text, form: form)
    }

    /// Describes a query field.
    static func query(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .query, name: name, text: text, form: form)
    }

    /// Describes a header.
    static func header(_ name: String, _ text: String, _ form: ValueForm = .text) -> InputNote {
        InputNote(place: .header, name: name, text: text, form: form)
    }
}

/// The form of a value in a path, query or header.
package enum ValueForm: Hashable, Sendable {
    /// Any text.
    case text
    /// A whole number in this range.
    case number(ClosedRange<Int>)
    /// One of these words, without case.
    case words([String])
    /// On when present, unless its value is `false` or `0`.
    case flag
}

/// An answer without a refusal.
package struct AnswerNote: Sendable {
    /// The HTTP status.
    package let status: Int
    /// Media type of its body; nil when the body is empty.
    package let type: String?
    /// What it says, as a sentence without a full stop.
    package let text: String
    /// Headers of this answer besides those of all answers, with what they mean.
    package let headers: [(name: String, text: String)]
    /// Its JSON schema in the document; nil where it is plain text.
    package let schema: String?

    /// Describes an answer.
    init(
        _ status: Int,
        _ text: String,
        _ type: String? = nil,
        schema: String? = nil,
        headers: [(name: String, text: String)] = []
    ) {
        self.status = status
        self.type = type
        self.text = text
        self.schema = schema
        self.headers = headers
    }
}
