package import HubVocabulary

/// What a caller asks for as a bulk job; both places are allowed ones.
package struct JobRequest: Hashable, Sendable {
    /// What it does.
    package var kind: JobKind
    /// Where the results go, as the caller spelled it.
    package var output: String
    /// What is read, as the caller spelled it; nil for an export.
    package var input: String?
    /// The access rule of the caller.
    package var rule: String
    /// What the caller noted with it; comes back with the job and means nothing here.
    package var properties: [NamedValue]

    /// Makes a request.
    package init(
        kind: JobKind,
        output: String,
        input: String?,
        rule: String,
        properties: [NamedValue] = []
    ) {
        self.kind = kind
        self.output = output
        self.input = input
        self.rule = rule
        self.properties = properties
    }
}
