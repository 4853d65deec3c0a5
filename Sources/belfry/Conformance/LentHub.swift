import ArgumentParser
import CommandTerminal
import Foundation
import HubSender
import HubVocabulary
import HubWire
import HubConformance
import HubVocabulary

/// A hub for the conformance kit: where it is, its keys, and a sender.
struct LentHub {
    /// The device port.
    let host: String
    let port: UInt16
    let hub: String
    let authority: String?
    /// Strings that make tokens.
    let listen: ConnectionString?
    let send: ConnectionString?
    /// A token that was given in place of them.
    let token: String?
    let sender: SenderClient?

    /// Where the kit plays, and whether it may purge.
    func underTest(purges: Bool) throws -> HubUnderTest {
        let (listen, send, hub, token) = (listen, send, hub, token)
        var lent = HubUnderTest(host: host, port: port, hub: hub) { kind in
            switch kind {
            case .listen: token ?? Self.token(listen, hub, seconds: 3_600)
            case .expired: Self.token(listen, hub, seconds: -3_600)
            case .sendOnly: Self.token(send, hub, seconds: 3_600)
            case .forged: Self.token(listen.map(Self.forged), hub, seconds: 3_600)
            }
        }
        if let authority {
            lent.authorities = try Failure.told {
                Array(try Data(contentsOf: URL(fileURLWithPath: authority)))
            }
        }
        guard let sender else { return lent }
        lent.send = { order throws(KitFault) in
            try Self.waiting { () async throws(SenderError) in
                _ = try await sender.send(Self.notification(order))
            }
        }
        if purges {
            lent.purge = { () throws(KitFault) in
                try Self.waiting { () async throws(SenderError) in
                    _ = try await sender.purge(.through(.max))
                }
            }
        }
        return lent
    }

    private static func notification(_ order: HubUnderTest.Order) -> OutgoingNotification {
        switch order {
        case .apple(let body, let tag, let headers):
            var made = OutgoingNotification.native(.apple, body: body, tags: tag)
            made.headers = headers.map { .init(name: $0.name, value: $0.value) }
            return made
        case .template(let properties, let tag): return .template(json: properties, tags: tag)
        }
    }

    private static func forged(_ string: ConnectionString) -> ConnectionString {
        var string = string
        string.key = "AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA="
        return string
    }

    private static func token(_ string: ConnectionString?, _ hub: String, seconds: Int) -> String? {
        guard let string else { return nil }
        let expiry = UInt64(Int(Date().timeIntervalSince1970) + seconds)
        return SharedAccessSigner(string).token(host: string.host, path: hub, expiry: expiry)
    }

    /// Waits for the sender on the kit's own thread.
    private static func waiting(
        _ body: @escaping @Sendable () async throws(SenderError) -> Void
    ) throws(KitFault) {
        let reason: String? = KitWait.value {
            do throws(SenderError) {
                try await body()
                return nil
            } catch {
                return "the hub did not take a request: \(error)"
            }
        }
        if let reason { throw .setup(reason) }
    }
}
