import HubTransport

/// The header that a balancer puts in front of a stream, or the name that a node asks for there.
///
/// Properties: it never takes more bytes than there are; what was read is written to a header that
/// reads the same; with one byte less it is awaited, not refused, and what follows changes nothing.
package func fuzzProxyHeader(_ bytes: Span<UInt8>) {
    let asked = ClientHello.asked(bytes)
    if asked == .unknown {
        precondition(bytes.count < ClientHello.bytesMax, "awaits for ever")
    } else {
        precondition(ClientHello.asked((bytes.copied + [0]).span) == asked, "asks otherwise")
    }
    do throws(ProxyHeader.Fault) {
        guard let read = try ProxyHeader.read(bytes) else {
            precondition(bytes.count < TransportLimits.proxyHeaderBytesMax, "awaits for ever")
            return
        }
        precondition(read.count <= bytes.count, "takes what is not there")
        guard try ProxyHeader.read(bytes.keeping(read.count - 1)) == nil else {
            preconditionFailure("a header is whole without its last byte")
        }
        let alone = try ProxyHeader.read(bytes.keeping(read.count))
        precondition(alone?.header == read.header && alone?.count == read.count)
        guard let source = read.header.source else { return }
        // Of one family the copy is as long as the original, so it has room.
        let copy = read.header.encoded(to: source)
        let again = try ProxyHeader.read(copy.span)
        precondition(again?.header == read.header, "a copy reads otherwise")
    } catch {
        // Refused bytes stay refused with more behind them.
        let later = fault(of: bytes.copied + [0])
        precondition(later == error, "refused otherwise, or read")
    }
}

/// What is wrong with bytes; nil when nothing is.
private func fault(of bytes: [UInt8]) -> ProxyHeader.Fault? {
    do throws(ProxyHeader.Fault) {
        _ = try ProxyHeader.read(bytes.span)
        return nil
    } catch {
        return error
    }
}
