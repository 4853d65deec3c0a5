package import HubVocabulary

/// A caller's request for a bulk job; both places are allowed ones.
package struct JobRequest: Hashable, Sendable {
    /// The kind of job.
    package var kind: JobKind
    /// Where the results go, as the caller spelled it.
    package var output: String
    /// The place of the input, as the caller spelled it; nil for an export.
    package var input: String?
    /// The access rule of the caller.
    package var rule: String
    /// The caller's own notes, which come back with the job; the hub does not read them.
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
