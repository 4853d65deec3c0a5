/// Traps on inputs that begin with `bell`, one byte checked after the other.
///
/// A fuzzer without coverage would have to guess four bytes at once; with it, it finds them one by
/// one within seconds. So a found canary proves both that coverage steers and that crashes show.
package func fuzzCanary(_ bytes: Span<UInt8>) {
    guard bytes.count >= 4 else { return }
    guard bytes[0] == UInt8(ascii: "b") else { return }
    guard bytes[1] == UInt8(ascii: "e") else { return }
    guard bytes[2] == UInt8(ascii: "l") else { return }
    guard bytes[3] == UInt8(ascii: "l") else { return }
    preconditionFailure("the canary was found, as it must be")
}
