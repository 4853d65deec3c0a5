import HubCluster

/// A request about the lead, on its way.
struct LeaseMail {
    let node: Int
    let run: UInt64
    let id: Int
    let request: LeaseRequest
}
