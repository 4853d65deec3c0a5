package import HubTemplates

/// A compiled template that many registrations share; `key` is equal exactly for equal definitions
/// within one process.
package final class SharedTemplate: Sendable {
    /// Distinguishes templates within one hub and process; never 0.
    package let key: UInt32
    /// The words it was compiled from.
    package let definition: TemplateDefinition
    /// The result.
    package let compiled: CompiledTemplate

    /// Shares a compiled template.
    package init(key: UInt32, definition: TemplateDefinition, compiled: CompiledTemplate) {
        self.key = key
        self.definition = definition
        self.compiled = compiled
    }
}
