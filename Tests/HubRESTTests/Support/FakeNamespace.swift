import HubRules
import HubVocabulary
import Synchronization

/// Hubs without anything in them; keys count upwards from `key-1`.
final class FakeNamespace: Sendable {
    private struct State {
        var hubs: [HubName: HubDescription] = [:]
        var keys = 0

        mutating func key() -> String {
            keys += 1
            return "key-\(keys)"
        }
    }

    private let state = Mutex(State())

    /// Hubs with the rules that every hub begins with.
    init(_ names: [String]) {
        for name in names.compactMap(HubName.init) {
            // Names of ours and rules of our own making are never refused.
            _ = try? run(.createHub(name, HubDefinition()))
        }
    }

    func run(_ command: NamespaceCommand) throws(Refusal) -> NamespaceReply {
        let result: Result<NamespaceReply, Refusal> = state.withLock { state in
            do throws(Refusal) { return .success(try Self.run(command, &state)) } catch {
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func run(
        _ command: NamespaceCommand,
        _ state: inout State
    ) throws(Refusal) -> NamespaceReply {
        switch command {
        case .createHub(let name, let definition):
            guard state.hubs[name] == nil else { throw .hubExists(name: name.description) }
            let hub = try HubDescription(creating: name, as: definition, now: FakeHub.time) {
                state.key()
            }
            state.hubs[name] = hub
            return .hub(hub)
        case .updateHub(let name, let definition):
            guard let known = state.hubs[name] else {
                throw .hubNotFound(name: name.description)
            }
            let later = FakeHub.time.adding(seconds: 60)
            let hub = try known.updated(by: definition, now: later) { state.key() }
            state.hubs[name] = hub
            return .hub(hub)
        case .getHub(let name):
            guard let known = state.hubs[name] else {
                throw .hubNotFound(name: name.description)
            }
            return .hub(known)
        case .deleteHub(let name):
            guard state.hubs.removeValue(forKey: name) != nil else {
                throw .hubNotFound(name: name.description)
            }
            return .hubDeleted
        case .listHubs(let skip, let limit):
            let rest = state.hubs.values.sorted { $0.name < $1.name }.dropFirst(skip)
            return .hubs(Array(rest.prefix(limit)), hasMore: rest.count > limit)
        }
    }
}
