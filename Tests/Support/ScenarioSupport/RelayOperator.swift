import Foundation
import HubClient
import HubServer
import HubTestSupport
import NIOHTTP1
import Testing

/// An administrator and sender of a hosted hub, who looks after its relays.
struct RelayOperator {
    static let connect = "http://schemas.microsoft.com/netservices/2010/10/servicebus/connect"

    let caller: RESTCaller
    let hub: HostedHub

    init(_ hub: HostedHub) throws {
        self.hub = hub
        caller = try RESTCaller(hub.connection)
    }

    static func entry(_ content: String) -> String {
        "<entry xmlns=\"http://www.w3.org/2005/Atom\"><content type=\"application/xml\">\(content)"
            + "</content></entry>"
    }

    static func description(_ members: String) -> String {
        entry(
            "<NotificationHubDescription xmlns=\"\(connect)\">\(members)"
                + "</NotificationHubDescription>"
        )
    }

    /// The element of a credential.
    static func credential(_ element: String, _ values: [(String, String)]) -> String {
        let properties = values.map {
            "<Property><Name>\($0)</Name><Value>\($1)</Value></Property>"
        }
        return "<\(element)><Properties>\(properties.joined())</Properties></\(element)>"
    }

    func ask(
        _ method: HTTPMethod,
        _ path: String = "",
        query: String = "",
        headers: [String: String] = [:],
        body: String? = nil
    ) async throws -> RESTCaller.Answer {
        let root = try #require(hub.connection.connectionStrings.namespace)
        return try await caller.perform(
            method,
            hub.connection.hub + path,
            query: query,
            headers: headers,
            body: body,
            authorization: caller.token(root, path: "")
        )
    }

    /// Writes the hub's description with these members.
    func put(_ members: String) async throws -> RESTCaller.Answer {
        try await ask(.PUT, headers: ["If-Match": "*"], body: Self.description(members))
    }

    /// Registers what an element describes, with the tag `a`; the registration's id.
    @discardableResult
    func register(_ element: String, _ members: String) async throws -> String {
        let registration = Self.entry(
            "<\(element)RegistrationDescription xmlns=\"\(Self.connect)\"><Tags>a</Tags>\(members)"
                + "</\(element)RegistrationDescription>"
        )
        let answer = try await ask(.POST, "/registrations/", body: registration)
        #expect(answer.status == 200, "\(answer.text)")
        let start = try #require(answer.text.firstRange(of: "<RegistrationId>"))
        return String(answer.text[start.upperBound...].prefix { $0 != "<" })
    }

    /// Sends to the tag; the notification's name.
    func send(
        _ body: String,
        format: String = "apple",
        headers: [String: String] = [:]
    ) async throws -> String {
        let answer = try await caller.send(body, format: format, tags: "a", headers: headers)
        #expect(answer.status == 201, "\(answer.text)")
        let location = try #require(answer.headers["location"])
        return String(try #require(location.split(separator: "?")[0].split(separator: "/").last))
    }

    /// Waits until a document of a notification says something.
    func wait(_ id: String, for text: String) async throws {
        try await eventually(text) {
            try await ask(.GET, "/messages/\(id)").text.contains(text)
        }
    }

    /// Why a registration has or has not got a notification.
    func explain(_ id: String, _ registration: String) async throws -> String {
        let query = "&notification=\(id)&registration=\(registration)"
        return try await ask(.GET, "/$belfry/explain", query: query).text
    }
}
