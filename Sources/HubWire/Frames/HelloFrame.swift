/// HELLO, which opens a session; `auth` borrows the received bytes.
///
///     0 magic u32 | 4 minor_min u8 | 5 minor_max u8 | 6 net_type u8 | 7 zero u8
///     8 capabilities u64 | 16 device_id id16 | 32 instance u64
///     40 epoch u64 | 48 seq u64 | 56 check u32 | 60 max_frame u32 | 64 etag u64
///     72 max_payload u32 | 76 window_bytes u32 | 80 window_msgs u16
///     82 keepalive_min u16 | 84 keepalive_max u16 | 86 auth_method u8 | 87 dict_count u8 (0)
///     88 hub str8 | auth bytes16                                   big-endian, Protocol §4.1
package struct HelloFrame: ~Escapable {
    /// `BLF1`.
    package static let magic: UInt32 = 0x424C_4631

    private let body: Span<UInt8>
    private let authRange: Range<Int>
    /// Everything but the credentials.
    package let message: HelloMessage
    /// The part of the body that the proof covers: all in front of the length of `auth`.
    package let authenticatedPrefix: Range<Int>

    /// Refuses anything that is not exactly one HELLO body of a minor version spoken here.
    @_lifetime(copy body)
    package init(decoding body: Span<UInt8>, header: FrameHeader) throws(WireError) {
        var reader = WireReader(body, of: .hello)
        message = try HelloMessage(&reader)
        authenticatedPrefix = 0..<reader.position
        authRange = try reader.bytes16(max: WireLimits.authBytesMax)
        try reader.finish(header)
        self.body = body
    }

    /// Token or proof, by the method; empty for a client certificate.
    package var auth: Span<UInt8> { @_lifetime(copy self) get { body.extracting(authRange) } }

    /// The bytes of `authenticatedPrefix`.
    package var authenticated: Span<UInt8> {
        @_lifetime(copy self) get { body.extracting(authenticatedPrefix) }
    }
}
