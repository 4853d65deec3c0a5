import HubCore

/// Where a path leads.
///
/// Source: REST §1.3.
enum Route: Equatable {
    case health
    /// The segment that names the hub, and what of it is asked for.
    case hub(name: [UInt8], HubResource)
    case unknown

    /// Finds the resource of a path; fixed words compare without case.
    ///
    /// Source: REST §2.1.
    init(_ segments: [[UInt8]]) {
        let words = segments.map { String(decoding: $0, as: UTF8.self).lowercased() }
        guard segments.first?.isEmpty == false else {
            self = .unknown
            return
        }
        switch words.count {
        case 1 where words[0] == "healthz": self = .health
        case 2 where words[1] == "messages": self = .hub(name: segments[0], .messages)
        case 2 where words[1] == "registrationids":
            self = .hub(name: segments[0], .registrationIDs)
        case 2 where words[1] == "registrations": self = .hub(name: segments[0], .registrations)
        case 3 where words[1] == "registrations" && !segments[2].isEmpty:
            self = .hub(name: segments[0], .registration(id: segments[2]))
        case 4 where words[1] == "tags" && words[3] == "registrations":
            self = .hub(name: segments[0], .taggedRegistrations(tag: segments[2]))
        default: self = .unknown
        }
    }

    /// The methods that mean something here, as `Allow` lists them.
    var allowed: [String] {
        switch self {
        case .health: ["GET"]
        case .hub(_, .messages), .hub(_, .registrationIDs): ["POST"]
        case .hub(_, .registrations): ["GET", "POST"]
        case .hub(_, .registration): ["DELETE", "GET", "PUT"]
        case .hub(_, .taggedRegistrations): ["GET"]
        case .unknown: []
        }
    }
}

/// What a hub offers under its name.
enum HubResource: Equatable {
    case messages
    case registrationIDs
    case registrations
    case registration(id: [UInt8])
    case taggedRegistrations(tag: [UInt8])

    /// The operation of a method that the route allows, and the right it needs.
    ///
    /// Source: REST §1.3, §3.5.
    func operation(method: String, target: RequestTarget) -> (RESTOperation, AccessRight) {
        switch (self, method) {
        case (.messages, _): (.send, .send)
        case (.registrationIDs, _): (.reserveRegistrationID, .listen)
        case (.registrations, "POST"): (.createRegistration, .listen)
        case (.registrations, _):
            (.listRegistrations, target.value("$filter") == nil ? .manage : .listen)
        case (.registration, "PUT"): (.putRegistration, .listen)
        case (.registration, "DELETE"): (.deleteRegistration, .listen)
        case (.registration, _): (.getRegistration, .listen)
        case (.taggedRegistrations, _): (.listRegistrations, .manage)
        }
    }
}
