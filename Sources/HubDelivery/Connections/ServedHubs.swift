import HubModel
import HubVocabulary
import HubWire

/// The hubs that a shard serves, by number and by name.
///
/// Connections know hubs by number, so a number stays until it is used again.
struct ServedHubs: RandomAccessCollection {
    private(set) var all: [HubShard] = []
    private var numbers: [HubName: Int] = [:]
    /// Numbers of hubs that were closed, for the next one that is opened.
    private var free: [Int] = []

    /// No hub.
    init() {}

    var startIndex: Int { 0 }
    var endIndex: Int { all.count }

    subscript(number: Int) -> HubShard { all[number] }

    /// The number of the hub with a name; nil when it is not served.
    func number(of name: HubName) -> Int? { numbers[name] }

    /// Sessions that are open, by whether they are live or catching up.
    var sessionCounts: (live: Int, catchingUp: Int) {
        var live = 0
        var behind = 0
        for hub in all {
            for index in hub.sessions.indices {
                if hub.sessions[index].isLive { live += 1 } else { behind += 1 }
            }
        }
        return (live, behind)
    }

    /// The most entries that wait for one session that catches up.
    var heldMost: Int {
        var most = 0
        for hub in all {
            for index in hub.sessions.indices {
                guard case .catchingUp(let state) = hub.sessions[index].mode else { continue }
                most = Swift.max(most, state.held.count)
            }
        }
        return most
    }

    /// How fast the devices of all of them come back.
    ///
    /// Source: Protocol [C-5].
    func pace(by rules: ReturnRules) -> ReturnPace {
        rules.pace(devices: all.reduce(0) { $0 + $1.devices })
    }

    /// The same, after a hub's directory has counted its devices again.
    func pace(by rules: ReturnRules, noting reply: AttachReply, of hub: HubShard) -> ReturnPace {
        hub.devices = reply.devices
        return pace(by: rules)
    }

    /// Serves one more hub, whose name none of those served has.
    mutating func open(_ hub: HubShard) {
        precondition(numbers[hub.name] == nil, "\(hub.name) is served")
        if let number = free.popLast() {
            all[number] = hub
            numbers[hub.name] = number
        } else {
            numbers[hub.name] = all.count
            all.append(hub)
        }
    }

    /// Serves a hub no longer; `nothing` stands in its place.
    mutating func close(_ number: Int, leaving nothing: HubShard) {
        numbers[all[number].name] = nil
        all[number] = nothing
        free.append(number)
    }
}
