import Dispatch
import Foundation
import HubConformance
package import HubDoctor

/// Looks at a port for devices from this machine.
package enum LinkReading {
    /// Seconds in which a port must answer.
    private static let secondsMax = 5

    /// Returns the answer of a port; `authority` is a PEM file, nil trusts the system's.
    package static func facts(
        host: String,
        port: UInt16,
        authority: String?
    ) async -> LinkFacts {
        let authorities = authority.flatMap(FileManager.default.contents(atPath:)).map {
            [UInt8]($0)
        }
        let (answers, feed) = AsyncStream<LinkFacts.Answer>.makeStream()
        DispatchQueue.global().async {
            switch LinkProbe.answer(host: host, port: port, authorities: authorities) {
            case .hub: feed.yield(.hub)
            case .stranger: feed.yield(.stranger)
            case .none: feed.yield(.none)
            }
        }
        // A filter that drops packets lets a connection wait for minutes.
        DispatchQueue.global().asyncAfter(deadline: .now() + .seconds(secondsMax)) {
            feed.yield(.none)
        }
        var first = answers.makeAsyncIterator()
        return LinkFacts(place: "\(host):\(port)", answer: await first.next() ?? .none)
    }
}
