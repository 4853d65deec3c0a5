import Crypto
import Foundation
import HubVocabulary
import Hummingbird
import Synchronization

/// Says who asks: checks passwords and access tokens, slowly for everybody and never too often.
///
/// Unknown users cost the same time as known ones. A password that was right is remembered for some
/// minutes, as a keyed hash in memory, so that a client that sends it with each request does not
/// cost a slow hash each time; it counts only as long as the stored hash is the same. Passwords for
/// one name from one address are checked one after another, and each counts as wrong until it is
/// found to be right, so that many requests at once are no more guesses than one after another.
final class UserAuthenticator: Sendable {
    private struct Known {
        var hash: String
        var until: Int64
    }

    private struct Waiting {
        var all = 0
        var byAddress: [String: Int] = [:]
    }

    private let store: BackendStore
    private let limits: BackendLimits
    private let failures: FailureLimiter
    private let remembered = Mutex<[[UInt8]: Known]>([:])
    private let secret = SymmetricKey(size: .bits256)
    private let nobody: PasswordHash
    private let queue: DispatchQueue
    private let places: DispatchSemaphore
    private let waiting = Mutex(Waiting())
    private let turns = KeyedLock()

    init(_ store: BackendStore, limits: BackendLimits) throws(BackendError) {
        self.store = store
        self.limits = limits
        failures = FailureLimiter(limits.failures)
        nobody = try PasswordHash(
            (0..<16).map { _ in UInt8.random(in: 0...255) },
            cost: limits.users.passwordCost
        )
        queue = DispatchQueue(label: "passwords", attributes: .concurrent)
        places = DispatchSemaphore(value: limits.checks.runningMax)
    }

    /// The caller whose credentials a header holds.
    ///
    /// - Throws: `BackendRefusal` 401, or 429 when there were too many failures.
    func caller(
        authorization header: String?,
        address: String,
        now: Int64
    ) async throws -> Caller {
        guard let header, let credentials = Credentials(header) else {
            throw BackendRefusal.unauthorized
        }
        switch credentials {
        case .bearer(let token):
            guard
                let caller = try await store.sessions.caller(
                    accessToken: Self.hash(token),
                    now: now
                )
            else { throw BackendRefusal.unauthorized }
            return caller
        case .basic(let name, let password):
            return try await caller(name, password, address: address, now: now)
        }
    }

    private func caller(
        _ name: String,
        _ password: [UInt8],
        address: String,
        now: Int64
    ) async throws -> Caller {
        // A name that no user can have is tried like any other, in one entry for all of them.
        let user = try? UserName(name, limits: limits.users)
        let label = user?.text ?? ""
        try refuseGuesser(address, label, now: now)
        if let known = try await known(user, password, now: now).caller { return known }
        return try await holdingPlace(address) {
            try await turns.with(["\(address) \(label)"]) {
                // While this one waited, others may have failed, or shown that it is right.
                try refuseGuesser(address, label, now: now)
                let (stored, known) = try await known(user, password, now: now)
                if let known { return known }
                failures.began(address: address, user: label, now: now)
                let hash = stored.map { PasswordHash(stored: $0.hash) } ?? nobody
                let candidate = password.count <= limits.users.passwordBytesMax ? password : []
                let isRight = await check(candidate, against: hash)
                guard let user, let stored, isRight, candidate.count == password.count else {
                    throw BackendRefusal.unauthorized
                }
                failures.succeeded(address: address, user: label)
                remember(user, password, hash: stored.hash, now: now)
                return Caller(user: user, generation: stored.generation)
            }
        }
    }

    /// Returns the stored password of a user, and the caller when this password was right a while
    /// ago.
    private func known(
        _ user: UserName?,
        _ password: [UInt8],
        now: Int64
    ) async throws -> (stored: StoredPassword?, caller: Caller?) {
        guard let user, let stored = try await store.users.password(of: user) else {
            return (nil, nil)
        }
        guard isKnown(user, password, hash: stored.hash, now: now) else { return (stored, nil) }
        return (stored, Caller(user: user, generation: stored.generation))
    }

    private func refuseGuesser(_ address: String, _ user: String, now: Int64) throws {
        guard let seconds = failures.secondsToWait(address: address, user: user, now: now) else {
            return
        }
        throw BackendRefusal(
            429,
            "too many wrong passwords: try again later",
            headers: [.retryAfter: "\(seconds)"]
        )
    }

    /// Refuses when too many wait already, of all or of one address.
    private func holdingPlace(
        _ address: String,
        _ body: () async throws -> Caller
    ) async throws -> Caller {
        let isShared = FailureLimiter.isLoopback(address)
        let hasPlace = waiting.withLock { waiting in
            let own = waiting.byAddress[address] ?? 0
            guard waiting.all < limits.checks.runningMax + limits.checks.waitingMax,
                isShared || own < limits.checks.perAddressMax
            else { return false }
            waiting.all += 1
            waiting.byAddress[address] = own + 1
            return true
        }
        guard hasPlace else {
            throw BackendRefusal(
                503,
                "too many logins at once: try again",
                headers: [.retryAfter: "1"]
            )
        }
        defer {
            waiting.withLock { waiting in
                waiting.all -= 1
                let left = (waiting.byAddress[address] ?? 1) - 1
                waiting.byAddress[address] = left > 0 ? left : nil
            }
        }
        return try await body()
    }

    /// Runs the slow function off the threads that tasks share, a few at a time.
    private func check(_ password: [UInt8], against hash: PasswordHash) async -> Bool {
        await withCheckedContinuation { continuation in
            queue.async { [places] in
                places.wait()
                defer { places.signal() }
                continuation.resume(returning: hash.accepts(password))
            }
        }
    }

    private func fingerprint(_ user: UserName, _ password: [UInt8]) -> [UInt8] {
        let text = Array(user.text.utf8) + [0] + password
        return Array(HMAC<SHA256>.authenticationCode(for: text, using: secret))
    }

    private func isKnown(
        _ user: UserName,
        _ password: [UInt8],
        hash: String,
        now: Int64
    ) -> Bool {
        let found = remembered.withLock { $0[fingerprint(user, password)] }
        guard let found else { return false }
        return found.hash == hash && now < found.until
    }

    private func remember(_ user: UserName, _ password: [UInt8], hash: String, now: Int64) {
        let key = fingerprint(user, password)
        remembered.withLock { known in
            if known.count >= limits.checks.rememberedMax { known.removeAll() }
            known[key] = Known(hash: hash, until: now + limits.checks.rememberedSeconds)
        }
    }

    /// How many passwords are remembered.
    var knownCount: Int { remembered.withLock(\.count) }

    /// A new access token, for its user only.
    static func newToken() -> String {
        let bytes = (0..<32).map { _ in UInt8.random(in: 0...255) }
        return Base64.encode(bytes)
            .replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// Returns the hash of an access token, which is all that is stored of it.
    static func hash(_ token: String) -> Data { Data(SHA256.hash(data: Data(token.utf8))) }
}
