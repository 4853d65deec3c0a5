/// The decoder's verdict on the front of the received bytes.
package enum FrameStep: Equatable, Sendable {
    /// Nothing can be said before this many bytes, counted from the frame's first, are there.
    case needMore(Int)
    /// A whole frame of `totalBytes`; its body is not decoded yet.
    case frame(FrameHeader)
    /// A whole unknown extension frame of this many bytes, to be passed over.
    case skip(Int)
}
