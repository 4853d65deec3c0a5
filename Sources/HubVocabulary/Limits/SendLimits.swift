/// Limits of one send.
package struct SendLimits: Equatable, Sendable {
    /// Bytes of a request's body.
    ///
    /// Source: rules C.5.
    package var requestBodyBytesMax = 65_536
    /// Bytes of a native payload, and of each rendered one.
    ///
    /// Source: rules C.5.
    package var payloadBytesMax = 8_192
    /// Nesting of JSON that a request may have; XML has `TemplateLimits.depthMax`.
    package var nestingMax = 64
    /// Seconds a notification lives when nothing says otherwise: 7 days.
    ///
    /// Source: rules C.8.
    package var timeToLiveDefaultSeconds: UInt32 = 604_800
    /// Seconds a notification may live at most: 28 days.
    ///
    /// Source: rules C.8.
    package var timeToLiveMaxSeconds: UInt32 = 2_419_200
    /// Bytes of a collapse key.
    ///
    /// Source: Protocol, parcels.
    package var collapseKeyBytesMax = 64
    /// Headers handed through to devices with one notification.
    package var passedHeadersMax = 16
    /// Bytes of the name, and of the value, of each of them.
    package var passedHeaderBytesMax = 255
    /// Bytes of all of them, each counted with two bytes more.
    package var passedHeadersBytesMax = 2_048
    /// Bytes of a `Content-Type` header.
    package var contentTypeBytesMax = 255
    /// Handles of one direct send.
    ///
    /// Source: rules A.7.
    package var directHandlesMax = 1_000
    /// Parts of a multipart body.
    package var multipartPartsMax = 8
    /// Bytes of one part's headers.
    package var multipartHeadBytesMax = 4_096
    /// Registrations that a test send reaches.
    ///
    /// Source: REST reference §10.
    package var testSendsMax = 10
    /// Test sends of a hub in a minute; more are told when to come again.
    ///
    /// Source: REST reference §10, §15.
    package var testSendsPerMinute = 10

    /// The defaults.
    package init() {}
}
