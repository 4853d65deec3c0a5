package import HubData
package import HubDatabase
package import HubHTTP
package import HubREST
package import HubTransport
package import Hummingbird

/// The word of fronts about their clients, as the leader reads it.
package struct FrontReading: Sendable {
    /// Is shown to fronts.
    package let certificate: NamedCertificate
    /// Believes fronts on the device port.
    package let trust: FrontTrust
    /// Reads the sends that a front carries together.
    package let bodies = BodyReading(deadline: .seconds(FrontLimits.Bundles().bodySeconds))
    private let proof: FrontProof
    private let run: UInt64

    /// Reads it for the node that leads now; nil where there is no database.
    ///
    /// - Throws: `.database` when the folder has no `cluster.key`, `.certificate` when none is made.
    package init?(_ database: ServerDatabase?) throws(ServerError) {
        guard let database else { return nil }
        let secret = try NodeSecret(database)
        proof = secret.proof
        run = database.run
        trust = FrontTrust { [proof, run] in proof.proves($0, leader: run) }
        do {
            certificate = try secret.certificate.leaf()
        } catch {
            throw .certificate(reason: "that of this node for others: \(error)")
        }
    }

    /// The client of a carried request; nil when the header proves nothing to this run.
    package func client(of request: Request) -> FrontProof.Client? {
        request.headers[FrontProof.headerName].flatMap { proof.client(in: $0, leader: run) }
    }

    /// An answer that tells a front to look again who leads.
    package func refusal(_ answer: Response) -> Response {
        var answer = answer
        answer.headers[FrontProof.headerName] = FrontProof.misdirected
        return answer
    }
}
