import HubCluster
import HubMemory
import HubStore
import HubVocabulary

/// A server of a cluster: its copy, and one run after another.
final class SimulatedNode {
    let number: Int
    let folder: NodeFolder
    var lease: Lease
    /// The database as its open hub uses it; nil while it has none.
    var log: SimulatedGroupLog?
    /// The copy that follows while another node leads; nil where the node does not follow.
    var standby: StandbyCopy?
    var isUp = false
    /// The group that its process has sent, and its fate.
    var sent = SentGroup()
    /// Its process answers what waits, and ends.
    var isStopping = false
    /// Its process is to end: another node leads.
    var isEnding = false
    /// It does nothing before this, in microseconds.
    var frozenUntil: UInt64 = 0
    /// It does not reach the database before this.
    var cutUntil: UInt64 = 0
    /// Only what the database answers is lost meanwhile.
    var isCutOneWay = false
    /// It does not reach devices before this.
    var devicesCutUntil: UInt64 = 0
    /// It does not start before this.
    var downUntil: UInt64 = 0
    var alarm = Alarm()
    /// The request about the lead that is under way.
    var waiting: (id: Int, sent: Instant, deadline: UInt64)?

    init(_ number: Int, _ folder: NodeFolder, lease: Lease) {
        self.number = number
        self.folder = folder
        self.lease = lease
    }

    /// Whether it has a copy while it waits; the others read theirs when they lead.
    var follows: Bool { number % 2 == 1 }

    func isCutFromDevices(_ time: UInt64) -> Bool { time < devicesCutUntil }
}
