import HubModel
import HubVocabulary

/// The actions that the hub's owner has to carry out, in order.
final class Outbox {
    private var actions: [DirectoryAction] = []

    /// Adds something behind all that is to be done already.
    func append(_ action: DirectoryAction) { actions.append(action) }

    /// Adds something that an operator counts.
    func tell(_ event: DirectoryEvent) { actions.append(.event(event)) }

    /// Returns everything since the last call, in order.
    func takeAll() -> [DirectoryAction] {
        defer { actions.removeAll() }
        return actions
    }

    /// Returns what `body` reads of the store.
    ///
    /// - Throws: what the store refuses, as it is refused to the caller; an operator counts that.
    func reading<Value>(_ body: () throws(StoreError) -> Value) throws(Refusal) -> Value {
        do throws(StoreError) { return try body() } catch {
            tell(.readRefused(error))
            throw error.refusal
        }
    }
}
