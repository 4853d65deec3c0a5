import HubVocabulary
import Testing

@Suite("Making shared access signatures")
struct SharedAccessSignerTests {
    static let key = "c2VsZi1ob3N0ZWQtaHViLWRlbW8ta2V5LTAwMDE="

    @Test(
        "signatures agree with the reference's vectors",
        arguments: [
            (
                "http%3a%2f%2fhub.example.net%2fnews%2fmessages%2f",
                "QXtk6V+X0FsDJp3/UCFwD6fnhP9HhqQB2MOy5/Qa1Rs="
            ),
            (
                "https%3a%2f%2fhub.example.net%2fnews%2fmessages%3fapi-version%3d2020-06",
                "+Oywtex7qYfEnMpv8SE1d/bI5Y8L5NyI5D1Hwxi4jXE="
            ),
            (
                "https%3A%2F%2Fhub.example.net%2F",
                "PyHIn9QpJWbrpI73AvxUElTmvepUfGn6txN1pk8A/2c="
            ),
        ]
    )
    func signs(_ resource: String, _ signature: String) {
        let signer = SharedAccessSigner(
            keyName: "DefaultFullSharedAccessSignature",
            key: Self.key
        )
        #expect(signer.signature(encodedResource: resource, expiry: 1_900_000_000) == signature)
    }

    @Test("a token is written as the .NET client writes it")
    func token() {
        let signer = SharedAccessSigner(
            keyName: "DefaultFullSharedAccessSignature",
            key: Self.key
        )
        let expected =
            "SharedAccessSignature sr=http%3a%2f%2fhub.example.net%2fnews%2fmessages%2f"
            + "&sig=QXtk6V%2bX0FsDJp3%2fUCFwD6fnhP9HhqQB2MOy5%2fQa1Rs%3d"
            + "&se=1900000000&skn=DefaultFullSharedAccessSignature"
        for path in ["news/messages", "/News/messages/"] {
            let token = signer.token(host: "Hub.example.net", path: path, expiry: 1_900_000_000)
            #expect(token == expected)
        }
    }
}
