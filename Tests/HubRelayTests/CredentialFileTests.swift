import Crypto
import HubRelay
import HubVocabulary
import Testing

/// Case 80 of the relays' reference.
@Suite("Files of credentials")
struct CredentialFileTests {
    @Test("an Apple key takes its id from the file's name")
    func apple() throws {
        let text = Array(KeyText.pem(Array(Samples.appleKey.derRepresentation)).utf8)
        let properties = try CredentialFile.apple(
            text,
            fileName: "AuthKey_ABC1234567.p8",
            team: "TEAM123456",
            bundle: "com.example.app",
            sandbox: true
        )
        guard
            case .apple(let apple) = try RelayCredential(
                properties,
                now: Samples.time,
                open: Samples.open
            ), case .token(let key) = apple.proof
        else {
            Issue.record("no Apple key")
            return
        }
        #expect(key.keyID == "ABC1234567" && key.teamID == "TEAM123456")
        #expect(apple.environment == .sandbox && apple.topic == "com.example.app")
        #expect(throws: CredentialProblem.self) {
            try CredentialFile.apple(text, fileName: "key.p8", team: "T", bundle: "b")
        }
    }

    @Test("Firebase's file of a service account is taken, and nothing else of JSON")
    func firebase() throws {
        let escaped = Samples.googlePEM.replacing("\n", with: "\\n")
        let file = """
            {"type":"service_account","project_id":"demo-project","private_key_id":"1",
             "private_key":"\(escaped)","client_email":"a@demo.example","client_id":"2",
             "token_uri":"https://evil.example/token"}
            """
        let properties = try CredentialFile.firebase(Array(file.utf8))
        guard
            case .firebase(let firebase) = try RelayCredential(
                properties,
                now: Samples.time,
                open: Samples.open
            )
        else {
            Issue.record("no service account")
            return
        }
        #expect(firebase.project == "demo-project" && firebase.email == "a@demo.example")
        for other in ["{}", "[]", "{", #"{"type":"authorized_user"}"#] {
            #expect(throws: CredentialProblem.self) {
                try CredentialFile.firebase(Array(other.utf8))
            }
        }
    }

    @Test("a pair of Web Push keys comes in JSON or as one private key in PEM")
    func browser() throws {
        let json =
            #"{"publicKey":"\#(Samples.browserPublic)","privateKey":"\#(Samples.browserPrivate)"}"#
        let pem = KeyText.pem(Array(Samples.browserKey.derRepresentation))
        for file in [json, pem] {
            let properties = try CredentialFile.browser(
                Array(file.utf8),
                subject: "mailto:ops@example.com"
            )
            guard
                case .browser(let browser) = try RelayCredential(
                    properties,
                    now: Samples.time,
                    open: Samples.open
                )
            else {
                Issue.record("no pair of keys")
                return
            }
            #expect(Base64URL.encode(browser.publicKey) == Samples.browserPublic)
        }
        #expect(throws: CredentialProblem.self) {
            try CredentialFile.browser(Array(Samples.googlePEM.utf8), subject: nil)
        }
    }

    @Test("Azure's resource and its list of credentials are read, at the top or below properties")
    func azure() throws {
        let credentials = """
            "apnsCredential":{"properties":{"appId":"TEAM123456","appName":"com.example.app",
             "keyId":"ABC1234567","token":"\(Samples.appleBody)","thumbprint":null,
             "endpoint":"https://api.push.apple.com:443/3/device"}},
            "admCredential":{"properties":{"clientId":"c","clientSecret":"s"}},
            "wnsCredential":{"properties":{"packageSid":"ms-app://s","secretKey":"k"}}
            """
        for text in ["{\(credentials)}", #"{"name":"hub","properties":{\#(credentials)}}"#] {
            let found = try CredentialFile.azure(Array(text.utf8))
            #expect(found.map(\.kind) == [.apns, .adm, .wns])
            for properties in found {
                _ = try RelayCredential(properties, now: Samples.time, open: Samples.open)
            }
        }
        #expect(throws: CredentialProblem.self) { try CredentialFile.azure(Array("{}".utf8)) }
    }
}
