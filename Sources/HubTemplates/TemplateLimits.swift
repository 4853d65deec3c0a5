/// Every limit of templates and property bags, by name.
package enum TemplateLimits {
    /// Template body.
    ///
    /// Source: rules C.5.
    package static let bodyBytesMax = 8_192
    /// Rendered payload; above it the delivery's outcome is *invalid notification size*.
    ///
    /// Source: rules C.5.
    package static let renderedBytesMax = 8_192
    /// Property bag of a send: the REST body's limit.
    ///
    /// Source: rules C.5.
    package static let bagBytesMax = 65_536
    /// Objects, arrays or elements inside each other.
    package static let depthMax = 32
    /// Expressions in one body.
    package static let expressionsMax = 256
    /// Tokens joined by `+` in one expression.
    package static let tokensMax = 64
    /// Attributes of one XML element.
    package static let attributesMax = 64
    /// Property name.
    ///
    /// Source: REST reference §7.3.
    package static let propertyNameBytesMax = 120
    /// Headers of one template.
    ///
    /// Source: rules G, REGISTER.
    package static let headersMax = 16
    /// Name or value of a header, expiry or priority, before and after filling: a `str8`.
    package static let headerFieldBytesMax = 255
    /// Largest length argument of `$(p, n)` and `.(p, n)`.
    package static let lengthMax = 2_147_483_647
}
