package import HubTemplates

/// A list of changes to an installation: JSON Patch with rules of its own.
///
/// Three verbs; paths as JSON Pointers, their fixed words without case; values are strings in most
/// clients, so a text that is an object or array counts as one where one belongs. Operations apply
/// in order, all or none. Source: REST reference §5.4.
package struct InstallationPatch: Sendable {
    /// The kind of an operation.
    package enum Verb: String, Sendable {
        case add, remove, replace
    }

    /// One change.
    package struct Operation: Sendable {
        /// The kind of change.
        package var verb: Verb
        /// Segments with their escapes undone; at least one.
        package var path: [[UInt8]]
        /// nil when it is missing or null.
        package var value: JSONTree?
        /// The beginning of the path as written, for refusals.
        package var shownPath: String

        /// Makes an operation.
        package init(verb: Verb, path: [[UInt8]], value: JSONTree?, shownPath: String) {
            self.verb = verb
            self.path = path
            self.value = value
            self.shownPath = shownPath
        }
    }

    /// In the order in which they apply.
    package let operations: [Operation]

    /// Makes a patch of operations that were read.
    package init(operations: [Operation]) { self.operations = operations }
}
