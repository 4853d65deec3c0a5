/// HELLO under construction, for credentials that prove what stands in front of them.
///
///     let writer = try HelloWriter(message, into: &bytes)
///     let proof = hmac(key, DeviceProof.input(exporter, bytes.span.extracting(writer.authenticated)))
///     try writer.finish(auth: proof, into: &bytes)
package struct HelloWriter {
    private let frame: WireWriter
    /// Where the bytes that the proof covers lie in the caller's array.
    package let authenticated: Range<Int>

    /// Appends everything up to the credentials.
    ///
    /// - Throws: BAD_FIELD or BAD_UTF8 when the hub's name does not fit; nothing is appended then.
    package init(_ message: HelloMessage, into bytes: inout [UInt8]) throws(WireError) {
        frame = WireWriter(.hello, into: &bytes)
        bytes.appendInteger(HelloFrame.magic)
        bytes.append(message.minorMin)
        bytes.append(message.minorMax)
        bytes.append(message.netType)
        bytes.append(0)
        bytes.appendInteger(message.capabilities.rawValue)
        message.deviceID.append(to: &bytes)
        bytes.appendInteger(message.instance)
        message.position.append(to: &bytes)
        bytes.appendInteger(message.maxFrame)
        bytes.appendInteger(message.etag)
        bytes.appendInteger(message.maxPayload)
        bytes.appendInteger(message.windowBytes)
        bytes.appendInteger(message.windowMessages)
        bytes.appendInteger(message.keepaliveMin)
        bytes.appendInteger(message.keepaliveMax)
        bytes.append(message.authMethod.rawValue)
        bytes.append(0)
        try frame.str8(message.hub, max: WireLimits.hubNameBytesMax, into: &bytes)
        authenticated = frame.bodyStart..<bytes.count
    }

    /// Appends the credentials and completes the frame.
    ///
    /// - Throws: BAD_FIELD when they are too long; the frame is removed then.
    package func finish(auth: [UInt8], into bytes: inout [UInt8]) throws(WireError) {
        try frame.bytes16(auth, max: WireLimits.authBytesMax, into: &bytes)
        try frame.finishChecked(&bytes)
    }
}
