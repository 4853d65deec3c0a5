import Foundation
import Hummingbird
import HubClient

/// Registers users' devices at the hub, and decides which tags they have.
///
/// A push handle is known to its device alone, so whoever names it holds the device: registering it
/// for another user takes the registration over, in the same write that removes the former user's
/// tags.
struct RegistrationDesk: Sendable {
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
    let sender: SenderClient
    let departures: Departures
    let limits: BackendLimits
    private let locks = KeyedLock()

    init(
        store: BackendStore,
        sender: SenderClient,
        departures: Departures,
        limits: BackendLimits
    ) {
        self.store = store
        self.sender = sender
        self.departures = departures
        self.limits = limits
    }

    /// `POST /api/register`: 200 with an id as a JSON string.
    ///
    /// Of the registrations that back ends made for a handle the first one's id is used again and
    /// the others are deleted; those that the device made itself stay.
    func reserve(_ user: UserName, _ request: Request, now: Int64) async throws -> Response {
        guard let text = request.parameter("handle"), !text.isEmpty else {
            return try Response.json(try await newID(user, handle: nil, now: now))
        }
        let handle = try Self.handle(text)
        let id = try await locks.with([handle]) {
            let known = Set(try await store.registrations(handle: handle).map(\.id))
            let found = try await sender.registrations(handle: handle).filter { entry in
                known.contains(entry.id) || entry.tags.contains { Self.isUserTag($0) }
            }
            guard let first = found.first else {
                return try await newID(user, handle: handle, now: now)
            }
            for other in found.dropFirst() {
                try await departures.delete(other.id)
                try await store.forget(registration: other.id)
            }
            if !known.contains(first.id) {
                let owned = OwnedRegistration(id: first.id, user: user, handle: handle)
                try await store.keep(owned, platform: nil, limits: limits, now: now)
            }
            return first.id
        }
        return try Response.json(id)
    }

    private func newID(_ user: UserName, handle: String?, now: Int64) async throws -> String {
        try await store.forgetReserved(of: user, limits: limits)
        let id = try await sender.reserveRegistrationID()
        let owned = OwnedRegistration(id: id, user: user, handle: handle)
        try await store.keep(owned, platform: nil, limits: limits, now: now)
        return id
    }

    /// `PUT /api/register/{id}`: 200; 410 when the hub says that it is gone.
    func put(
        _ id: String,
        _ user: UserName,
        _ request: Request,
        now: Int64
    ) async throws -> Response {
        let id = try Self.id(id)
        let bytes = try await request.bytes(most: limits.bodyBytesMax, limits: limits)
        let update: Update
        do {
            update = try JSONDecoder().decode(Update.self, from: Data(bytes))
        } catch {
            throw BackendRefusal(400, "the body must be JSON with Platform, Handle and Tags")
        }
        let platform = try PlatformName.platform(update.platform, field: "Platform")
        let handle = try Self.handle(update.handle)
        let tags = try checked(update.tags ?? [])
        let entry = RegistrationEntry(
            platform: platform,
            handle: handle,
            tags: tags + [user.tag]
        )
        try await locks.with([id, handle]) {
            try await requireRight(to: id, user, handle: handle)
            // Before the new user's registration holds, nothing of another user's may be left.
            for other in try await store.registrations(handle: handle)
            where other.id != id && other.user != user {
                try await departures.delete(other.id)
                try await store.forget(registration: other.id)
            }
            let owned = OwnedRegistration(id: id, user: user, handle: handle)
            try await store.keep(owned, platform: update.platform, limits: limits, now: now)
            try await write(entry, as: owned)
        }
        return Response(status: .ok)
    }

    private func write(_ entry: RegistrationEntry, as owned: OwnedRegistration) async throws {
        do throws(SenderError) {
            _ = try await sender.putRegistration(id: owned.id, entry)
        } catch .refused(let refused) where refused.status == 410 {
            try await store.forget(registration: owned.id)
            throw BackendRefusal(.refused(refused))
        }
        // The user may have left in the meantime, when there was nothing to delete yet.
        guard try await store.registration(id: owned.id) == owned else {
            try await departures.delete(owned.id)
            throw BackendRefusal(410, "the registration is gone: ask for a new id")
        }
    }

    /// `DELETE /api/register/{id}`: 200, also when the hub has deleted it already.
    func delete(_ id: String, _ user: UserName) async throws -> Response {
        let id = try Self.id(id)
        try await locks.with([id]) {
            guard let owned = try await store.registration(id: id) else {
                throw BackendRefusal(404, "there is no such registration")
            }
            guard owned.user == user else {
                throw BackendRefusal(403, "the registration belongs to somebody else")
            }
            try await departures.delete(id)
            try await store.forget(registration: id)
        }
        return Response(status: .ok)
    }

    /// Whether a user may write a registration: their own, one that nobody has, or that of a device
    /// whose handle they know.
    private func requireRight(
        to id: String,
        _ user: UserName,
        handle: String
    ) async throws {
        if try await store.isDeparting(id: id) {
            throw BackendRefusal(410, "the registration is gone: ask for a new id")
        }
        let elsewhere = BackendRefusal(403, "the registration belongs to somebody else")
        if let owned = try await store.registration(id: id) {
            guard owned.user == user || owned.handle == handle else { throw elsewhere }
            return
        }
        guard let found = try await stored(id) else { return }
        let isOwn = found.tags.contains { $0.lowercased() == user.tag }
        guard isOwn || found.handle?.lowercased() == handle else { throw elsewhere }
    }

    /// A registration as the hub has it; nil when it was never seen or is deleted, which the hub
    /// tells apart when it is written.
    private func stored(_ id: String) async throws(SenderError) -> RegistrationAnswer? {
        do throws(SenderError) {
            return try await sender.registration(id: id)
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
        guard tags.count <= limits.tagsMax else {
            throw BackendRefusal(400, "Tags may have \(limits.tagsMax) tags")
        }
        for (index, tag) in tags.enumerated() {
            let folded = tag.lowercased()
            let isProtected = ["username:", "from:", "$"].contains { folded.hasPrefix($0) }
            guard !isProtected else {
                let shown = String(tag.prefix(limits.tagBytesMax))
                throw BackendRefusal(403, "the tag '\(shown)' is given by the backend only")
            }
            let isTag = (1...limits.tagBytesMax).contains(tag.utf8.count)
            guard isTag, tag.utf8.allSatisfy(\.isTagByte) else {
                throw BackendRefusal(
                    400,
                    "tag \(index + 1) of Tags is none: 1 to \(limits.tagBytesMax) letters, digits "
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
