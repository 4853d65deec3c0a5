import Hummingbird
import Synchronization

/// Counts the bytes that bodies hold in memory, of all users and of each: of requests until they are
/// answered, or of answers until they are written.
///
/// Without it a few connections, each within its own limits, would take as much as there is.
final class MemoryBudget: Sendable {
    private struct Held {
        var all = 0
        var byUser: [String: Int] = [:]
    }

    /// The bytes that one body holds; given back when its last owner lets go of it.
    final class Share: Sendable {
        private let budget: MemoryBudget
        private let user: UserName
        private let held = Mutex(0)

        fileprivate init(_ budget: MemoryBudget, _ user: UserName) {
            self.budget = budget
            self.user = user
        }

        deinit { budget.give(held.withLock { $0 }, of: user) }

        /// Holds as many bytes as these, if it does not already.
        /// - Throws: `BackendRefusal` 429 when the user has too many, 503 when all have.
        func hold(_ bytes: Int) throws(BackendRefusal) {
            try held.withLock { held throws(BackendRefusal) -> Void in
                guard bytes > held else { return }
                try budget.take(bytes - held, of: user)
                held = bytes
            }
        }
    }

    private let allMax: Int
    private let perUserMax: Int
    private let held = Mutex(Held())

    init(allMax: Int, perUserMax: Int) {
        self.allMax = allMax
        self.perUserMax = perUserMax
    }

    /// A share that holds nothing yet.
    func share(of user: UserName) -> Share { Share(self, user) }

    /// Bytes that all hold now.
    var bytes: Int { held.withLock(\.all) }

    /// How many users hold any.
    var users: Int { held.withLock(\.byUser.count) }

    private func take(_ bytes: Int, of user: UserName) throws(BackendRefusal) {
        try held.withLock { held throws(BackendRefusal) -> Void in
            let own = held.byUser[user.text] ?? 0
            guard own + bytes <= perUserMax else {
                throw BackendRefusal(
                    429,
                    "a user can have \(perUserMax) bytes of bodies on their way: try again later",
                    headers: [.retryAfter: "5"]
                )
            }
            guard held.all + bytes <= allMax else {
                throw BackendRefusal(
                    503,
                    "too many bytes of bodies are on their way: try again later",
                    headers: [.retryAfter: "5"]
                )
            }
            held.all += bytes
            held.byUser[user.text] = own + bytes
        }
    }

    private func give(_ bytes: Int, of user: UserName) {
        guard bytes > 0 else { return }
        held.withLock { held in
            held.all -= bytes
            let left = (held.byUser[user.text] ?? bytes) - bytes
            held.byUser[user.text] = left > 0 ? left : nil
        }
    }
}
