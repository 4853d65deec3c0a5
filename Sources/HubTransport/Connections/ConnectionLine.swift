import HubVocabulary

/// Accepted connections in the order of their arrival, to find the one that has waited longest.
///
/// One that waits no more keeps its place until it comes to the front.
struct ConnectionLine {
    private var connections: [ConnectionID] = []
    private var first = 0

    /// Places that are kept, of connections that wait no more too.
    var count: Int { connections.count - first }

    /// Adds a connection at the end, and drops those in front that wait no more.
    mutating func append(_ connection: ConnectionID, isWaiting: (ConnectionID) -> Bool) {
        while first < connections.count, !isWaiting(connections[first]) { first += 1 }
        if first == connections.count {
            connections.removeAll(keepingCapacity: connections.count < 1_024)
            first = 0
        } else if first >= 1_024, first * 2 > connections.count {
            connections.removeFirst(first)
            first = 0
        }
        connections.append(connection)
    }

    /// Takes out the one that has waited longest, with those before it; nil when none waits.
    mutating func popFirst(isWaiting: (ConnectionID) -> Bool) -> ConnectionID? {
        while first < connections.count {
            first += 1
            if isWaiting(connections[first - 1]) { return connections[first - 1] }
        }
        return nil
    }
}
