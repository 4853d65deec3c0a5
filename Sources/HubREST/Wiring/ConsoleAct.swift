package import HubVocabulary

/// An act of an operator in the console, as the audit keeps it.
package struct ConsoleAct: Equatable, Sendable {
    /// The audit word of a page, such as `console.revoke`.
    package var operation: String
    /// The page's address, with the fields that name what it is about; long values are cut.
    package var subject: String
    /// The access rule that signed the session's code.
    package var rule: String
    /// The name that the session's operator claimed.
    package var name: String
    /// The hub that it is about; nil for none.
    package var hub: HubName?
    /// Names the request in answers and logs.
    package var tracking: String
    /// How far it has come.
    package var result: AuditResult

    /// Makes one of its parts.
    package init(
        operation: String,
        subject: String,
        rule: String,
        name: String,
        hub: HubName?,
        tracking: String,
        result: AuditResult
    ) {
        self.operation = operation
        self.subject = subject
        self.rule = rule
        self.name = name
        self.hub = hub
        self.tracking = tracking
        self.result = result
    }
}
