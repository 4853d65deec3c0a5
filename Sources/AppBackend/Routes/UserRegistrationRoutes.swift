import Foundation
import HubSender
import Hummingbird

/// Registers users' devices at the hub, and decides which tags they have.
///
/// A push handle is known to its device alone, so a client that names it holds the device.
/// Registering it for another user deletes the former user's registration at the hub first, and
/// makes one under a new id. A registration that is only written anew would keep its history. With
/// it the new user would get notifications that the former user was sent while the device was away.
struct UserRegistrationRoutes: Sendable {
    /// The body of a PUT.
    private struct Update: Decodable {
        enum CodingKeys: String, CodingKey {
            case platform = "Platform"
            case handle = "Handle"
            case tags = "Tags"
        }

        var platform: String
        var handle: String
        var tags: [String]?
    }

    let store: BackendStore
    let limits: BackendLimits
    private let locks = KeyedLock()

    init(store: BackendStore, limits: BackendLimits) {
        self.store = store
        self.limits = limits
    }

    /// `POST /api/register`: 200 with an id as a JSON string.
    ///
    /// Of the user's registrations that back ends made for a handle the first one's id is used
    /// again; the others, and those of other users, are deleted. Those that the device made itself
    /// stay.
    func reserve(_ request: UserRequest) async throws -> Response {
        let hub = request.hub
        guard let text = request.http.parameter("handle"), !text.isEmpty else {
            return try Response.json(try await newID(request, hub, handle: nil))
        }
        let handle = try Self.handle(text)
        let id = try await locks.with([handle]) {
            try await requireLogin(request)
            var own: String?
            for entry in try await hub.registrations(handle: handle) {
                let owned = try await store.registrations.find(id: entry.id)
                let users = entry.tags.filter(Self.isUserTag)
                guard owned != nil || !users.isEmpty else { continue }
                let isDeparting = try await store.deletions.contains(registration: entry.id)
                let isOwn =
                    !isDeparting && (owned.map { $0.user == request.user } ?? true)
                    && users.allSatisfy { $0.lowercased() == request.user.tag }
                if isOwn, own == nil {
                    own = entry.id
                } else {
                    try await remove(entry.id, request, hub)
                }
            }
            try await removeOthers(handle: handle, request, hub)
            guard let own else { return try await newID(request, hub, handle: handle) }
            if try await store.registrations.find(id: own) == nil {
                let owned = OwnedRegistration(id: own, user: request.user, handle: handle)
                try await keep(owned, platform: nil, request, hub)
            }
            return own
        }
        return try Response.json(id)
    }

    private func newID(
        _ request: UserRequest,
        _ hub: SenderClient,
        handle: String?
    ) async throws -> String {
        try await requireLogin(request)
        try await store.registrations.forgetReserved(of: request.user, limits: limits.registrations)
        let id = try await hub.reserveRegistrationID()
        let owned = OwnedRegistration(id: id, user: request.user, handle: handle)
        try await keep(owned, platform: nil, request, hub)
        return id
    }

    /// Notes a registration; at the limit in place of the oldest that the hub does not know.
    private func keep(
        _ owned: OwnedRegistration,
        platform: String?,
        _ request: UserRequest,
        _ hub: SenderClient
    ) async throws {
        func isKept() async throws -> Bool {
            try await store.registrations.keep(
                owned,
                platform: platform,
                for: request.caller,
                limits: limits,
                // Reading the body and waiting for others may have taken minutes.
                now: Int64(Date.now.timeIntervalSince1970)
            )
        }
        guard try await !isKept() else { return }
        for id in try await store.registrations.ids(of: request.user) where id != owned.id {
            guard try await stored(id, hub) == nil else { continue }
            try await store.registrations.forget(id: id)
            break
        }
        guard try await isKept() else {
            throw BackendRefusal(
                403,
                "a user can have \(limits.registrations.perUserMax) registrations"
            )
        }
    }

    /// Refuses a caller whose login has ended: before the hub hears of what they ask for.
    private func requireLogin(_ request: UserRequest) async throws {
        try await store.sessions.requireLogin(request.caller, now: request.now)
    }

    /// Deletes a registration at the hub, then what is known of it here.
    /// - Throws: `BackendRefusal` 401 when the caller's login has ended.
    private func remove(_ id: String, _ request: UserRequest, _ hub: SenderClient) async throws {
        try await requireLogin(request)
        try await hub.removeRegistration(id: id)
        try await store.registrations.forget(id: id)
        try await store.deletions.finish(registration: id)
    }

    /// Deletes what other users have for a handle, before a user's own registration holds.
    private func removeOthers(
        handle: String,
        _ request: UserRequest,
        _ hub: SenderClient
    ) async throws {
        let all = try await store.registrations.all(handle: handle)
        for other in all where other.user != request.user {
            try await remove(other.id, request, hub)
        }
    }

    /// `PUT /api/register/{id}`: 200; 410 when the hub says that it is gone, or when it was another
    /// user's of the same device.
    func put(_ id: String, _ request: UserRequest) async throws -> Response {
        let id = try Self.id(id)
        let update = try await request.body(most: limits.requests.bodyBytesMax) { bytes in
            do {
                return try JSONDecoder().decode(Update.self, from: Data(bytes))
            } catch {
                throw BackendRefusal(400, "the body must be JSON with Platform, Handle and Tags")
            }
        }
        let platform = try PlatformName.platform(update.platform, field: "Platform")
        let handle = try Self.handle(update.handle)
        let tags = try checked(update.tags ?? [])
        let entry = RegistrationEntry(
            platform: platform,
            handle: handle,
            tags: tags + [request.user.tag]
        )
        // A platform that needs more than a handle is refused before anything is noted.
        _ = try entry.xml()
        let hub = request.hub
        try await locks.with([id, handle]) {
            try await requireLogin(request)
            try await requireRight(to: id, request, handle: handle, hub)
            try await removeOthers(handle: handle, request, hub)
            let owned = OwnedRegistration(id: id, user: request.user, handle: handle)
            try await keep(owned, platform: update.platform, request, hub)
            try await write(entry, as: owned, hub)
        }
        return Response(status: .ok)
    }

    /// Writes a registration that is kept; one whose user has left meanwhile is deleted again.
    private func write(
        _ entry: RegistrationEntry,
        as owned: OwnedRegistration,
        _ hub: SenderClient
    ) async throws {
        do throws(SenderError) {
            _ = try await hub.putRegistration(id: owned.id, entry)
        } catch {
            // A write without an answer may still arrive, and stays noted as being written.
            if error.isRefusedForGood { _ = try await store.registrations.finishWrite(of: owned) }
            guard error.status == 410 else { throw error }
            try await store.registrations.forget(id: owned.id)
            throw BackendRefusal.registrationGone
        }
        // The user may have left in the meantime, when there was nothing to delete yet.
        guard try await store.registrations.finishWrite(of: owned) else {
            try await hub.removeRegistration(id: owned.id)
            try await store.deletions.finish(registration: owned.id)
            throw BackendRefusal.registrationGone
        }
    }

    /// `DELETE /api/register/{id}`: 200, also when the hub has deleted it already.
    func delete(_ id: String, _ request: UserRequest) async throws -> Response {
        let id = try Self.id(id)
        let hub = request.hub
        try await locks.with([id]) {
            guard let owned = try await store.registrations.find(id: id) else {
                throw BackendRefusal(404, "there is no such registration")
            }
            guard owned.user == request.user else {
                throw BackendRefusal(403, "the registration belongs to somebody else")
            }
            try await remove(id, request, hub)
        }
        return Response(status: .ok)
    }

    /// Whether a user may write a registration: their own, or one without an owner.
    ///
    /// That of another user of the same device is deleted.
    /// - Throws: `BackendRefusal` 403 for another user's, 410 when it was deleted.
    private func requireRight(
        to id: String,
        _ request: UserRequest,
        handle: String,
        _ hub: SenderClient
    ) async throws {
        let user = request.user
        if try await store.deletions.contains(registration: id) {
            try await remove(id, request, hub)
            throw BackendRefusal.registrationGone
        }
        let elsewhere = BackendRefusal(403, "the registration belongs to somebody else")
        if let owned = try await store.registrations.find(id: id) {
            guard owned.user != user else { return }
            guard owned.handle == handle else { throw elsewhere }
        } else {
            guard let found = try await stored(id, hub) else { return }
            let users = found.tags.filter(Self.isUserTag)
            let isOwn = users.allSatisfy { $0.lowercased() == user.tag }
            let isSame = found.handle?.lowercased() == handle
            if isOwn, isSame || !users.isEmpty { return }
            guard isSame else { throw elsewhere }
        }
        try await remove(id, request, hub)
        throw BackendRefusal.registrationGone
    }

    /// A registration as the hub has it; nil when it was never seen or is deleted, which the hub
    /// tells apart when it is written.
    private func stored(
        _ id: String,
        _ hub: SenderClient
    ) async throws(SenderError) -> RegistrationAnswer? {
        do throws(SenderError) {
            return try await hub.registration(id: id)
        } catch .refused(let refused) where refused.status == 404 {
            return nil
        }
    }

    // MARK: What clients write

    private static func id(_ text: String) throws -> String {
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        let isWellFormed = parts.allSatisfy { part in
            !part.isEmpty && part.utf8.allSatisfy { (0x30...0x39).contains($0) }
        }
        guard parts.count == 3, isWellFormed, text.utf8.count <= 64 else {
            throw BackendRefusal(400, "the id of a registration is digits-digits-digits")
        }
        return text
    }

    private static func handle(_ text: String) throws -> String {
        guard text.utf8.count == 64, text.utf8.allSatisfy({ UInt8($0).isHexadecimalDigit }) else {
            throw BackendRefusal(400, "the handle must be 64 hexadecimal digits")
        }
        return text.lowercased()
    }

    private static func isUserTag(_ tag: String) -> Bool {
        tag.lowercased().hasPrefix("username:")
    }

    /// The tags that a user may ask for.
    ///
    /// - Throws: `BackendRefusal` 403 that names a tag which only the backend gives, 400 for one that
    ///   is none.
    private func checked(_ tags: [String]) throws -> [String] {
        guard tags.count <= limits.registrations.tagsMax else {
            throw BackendRefusal(400, "Tags may have \(limits.registrations.tagsMax) tags")
        }
        for (index, tag) in tags.enumerated() {
            let folded = tag.lowercased()
            let isProtected = ["username:", "from:", "$"].contains { folded.hasPrefix($0) }
            guard !isProtected else {
                let shown = String(tag.prefix(limits.registrations.tagBytesMax))
                throw BackendRefusal(403, "the tag '\(shown)' is given by the backend only")
            }
            let isTag = (1...limits.registrations.tagBytesMax).contains(tag.utf8.count)
            guard isTag, tag.utf8.allSatisfy(\.isTagByte) else {
                throw BackendRefusal(
                    400,
                    "tag \(index + 1) of Tags is none: 1 to \(limits.registrations.tagBytesMax) letters, digits "
                        + "and _ @ # . : -"
                )
            }
        }
        return tags
    }
}

extension UInt8 {
    /// Whether it is 0–9, a–f or A–F in ASCII.
    fileprivate var isHexadecimalDigit: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "f"),
            UInt8(ascii: "A")...UInt8(ascii: "F"):
            true
        default: false
        }
    }

    /// Whether it may stand in a tag.
    fileprivate var isTagByte: Bool {
        switch self {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"):
            true
        default: "_@#.:-".utf8.contains(self)
        }
    }
}
