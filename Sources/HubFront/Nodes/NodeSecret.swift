package import HubData
package import HubDatabase

/// The secrets that nodes of a database derive from its `cluster.key`.
package struct NodeSecret: Sendable {
    /// Proves what fronts say.
    package let proof: FrontProof
    /// Is shown by leaders to fronts.
    package let certificate: NodeCertificate

    /// Derives both.
    ///
    /// - Throws: `.database` when the folder has no key.
    package init(_ database: ServerDatabase) throws(ServerError) {
        guard let proof = try database.nodeKey(for: "front proof"),
            let authority = try database.nodeKey(for: "node authority")
        else { throw .database(reason: "its folder has no cluster.key") }
        self.proof = FrontProof(key: proof)
        certificate = NodeCertificate(key: authority)
    }
}
