package import HubVocabulary

/// A template filled with properties.
package struct RenderedTemplate: Hashable, Sendable {
    /// The payload; cut off somewhere after `TemplateLimits.renderedBytesMax` when it is too large.
    package var body: [UInt8]
    /// The template's own expiry.
    package var expiry: TemplateExpiry
    /// The template's own priority, as in `apns-priority`.
    package var priority: UInt8?
    /// The template's headers, filled, in their order; those that became too long are left out.
    package var headers: [NamedValue]

    /// Whether the payload exceeds `TemplateLimits.renderedBytesMax`, so that the delivery fails.
    package var isTooLarge: Bool { body.count > TemplateLimits.renderedBytesMax }
}
