import NIOCore
import NIOSSL
import SwiftASN1
import X509

/// The app that a client's certificate names in its subject.
enum CallerCertificate {
    static func topic(_ pipeline: ChannelPipeline) -> String? {
        // A client without a certificate, or with an unreadable one, names no app.
        guard let handler = try? pipeline.syncOperations.handler(type: NIOSSLServerHandler.self),
            let bytes = try? handler.peerCertificate?.toDERBytes(),  // As above.
            let read = try? Certificate(derEncoded: bytes)  // As above.
        else { return nil }
        let type: ASN1ObjectIdentifier = [0, 9, 2342, 19_200_300, 100, 1, 1]
        return read.subject.lazy.flatMap(\.self).first { $0.type == type }
            .flatMap { String($0.value) }
    }
}
