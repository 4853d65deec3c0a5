import HubTestSupport
import HubTransport
import TLSRecords
import Testing

/// The figures of RFC 8448 §3, a whole connection with all its secrets.
@Suite("Records of the published trace")
struct TraceTests {
    private static let client = HexText.bytes(
        "9e40646ce79a7f9dc05af8889bce6552875afa0b06df0087f792ebb7c17504a5"
    )
    private static let server = HexText.bytes(
        "a11af9f05531f856ad47116b45a950328204b4f44bfb6b3a4b4f1f3fcb631643"
    )
    private static let data = (0..<50).map { UInt8($0) }
    private static let ticket = HexText.bytes(
        """
        040000c90000001efad6aac502000000b22c035d829359ee5ff7af4ec900000000262a6494dc486d2c8a34cb33\
        fa90bf1b0070ad3c498883c9367c09a2be785abc55cd226097a3a982117283f82a03a143efd3ff5dd36d64e861\
        be7fd61d2827db279cce145077d454a3664d4e6da4d29ee03725a6a4dafcd0fc67d2aea70529513e3da2677fa5\
        906c5b3f7d8f92f228bda40dda721470f9fbf297b5aea617646fac5c03272e970727c621a79141ef5f7de6505e\
        5bfbc388e93343694093934ae4d3570008002a000400000400
        """
    )
    private static let clientRecords = [
        """
        1703030043a23f7054b62c94d0affafe8228ba55cbefacea42f914aa66bcab3f2b9819a8a5b46b395bd54a9a20\
        441e2b62974e1f5a6292a2977014bd1e3deae63aeebb21694915e4
        """,
        "1703030013c9872760655666b74d7ff1153efd6db6d0b0e3",
    ].map(HexText.bytes)
    private static let serverRecords = [
        """
        17030300de3a6b8f90414a97d6959c3487680de5134a2b240e6cffac116e95d41d6af8f6b580dcf3d11d63c758\
        db289a015940252f55713e061dc13e078891a38efbcf5753ad8ef170ad3c7353d16d9da773b9ca7f2b9fa1b6c0\
        d4a3d03f75e09c30ba1e62972ac46f75f7b981be63439b2999ce13064615139891d5e4c5b406f16e3fc181a77c\
        a475840025db2f0a77f81b5ab05b94c01346755f69232c86519d86cbeeac87aac347d143f9605d64f650db4d02\
        3e70e952ca49fe5137121c74bc2697687e248746d6df353005f3bce18696129c8153556b3b6c6779b37bf15985\
        684f
        """,
        """
        17030300432e937e11ef4ac740e538ad36005fc4a46932fc3225d05f82aa1b36e30efaf97d90e6dffc602dcb50\
        1a59a8fcc49c4bf2e5f0a21c0047c2abf332540dd032e167c2955d
        """,
        "1703030013b58fd67166ebf599d24720cfbe7efa7a8864a9",
    ].map(HexText.bytes)

    @Test("what both sides sealed comes out of their secrets byte for byte")
    func seals() throws {
        let cipher = try OpenSSLCipher()
        let client = RecordPeer(receiving: Self.client, sending: Self.server, cipher: cipher)
        let clientRecords = [client.seal(Self.data), client.seal([1, 0], type: 21)]
        #expect(clientRecords == Self.clientRecords)
        let server = RecordPeer(receiving: Self.server, sending: Self.client, cipher: cipher)
        let serverRecords = [
            server.seal(Self.ticket, type: 22), server.seal(Self.data),
            server.seal([1, 0], type: 21),
        ]
        #expect(serverRecords == Self.serverRecords)
    }

    @Test("the server's side opens what the client sealed and seals close_notify alike")
    func opens() throws {
        let cipher = try OpenSSLCipher()
        var layer = RecordLayer()
        let isBegun = layer.begin(
            .aes128GCM,
            receivingSecret: Self.client.span,
            sendingSecret: Self.server.span,
            with: cipher
        )
        #expect(isBegun)
        let reception = layer.take(
            Self.clientRecords.flatMap { $0 },
            cut: [],
            within: RecordLimits(),
            with: cipher
        )
        #expect(reception.results == [.data, .closed])
        #expect(reception.data == Self.data)
        // The trace's ticket has number 0; a message of the same size takes its place.
        _ = layer.sealed([0], with: cipher)
        let data = layer.sealed(Self.data, with: cipher)
        #expect(data == Self.serverRecords[1])
        let alert = layer.sealed(.closeNotify, with: cipher)
        #expect(alert == Self.serverRecords[2])
    }

    @Test(
        "a key update leads to the secret that HKDF gives",
        arguments: [
            (client, "fcdfcc72725aaee48bf64e4fd8b749cdbdbab39d90da0b26e2245ca6ea167207"),
            (server, "51921b8aa3001976eb401d0a4319a8516416a6c56001a357e5d162031e84f916"),
        ]
    )
    func updates(secret: [UInt8], next: String) throws {
        let cipher = try OpenSSLCipher()
        let old = RecordPeer(receiving: secret, sending: secret, cipher: cipher)
        let new = RecordPeer(receiving: HexText.bytes(next), sending: secret, cipher: cipher)
        _ = old.keyUpdate(asking: false)
        let updated = old.seal(Self.data)
        let expected = new.seal(Self.data)
        #expect(updated == expected)
    }
}
