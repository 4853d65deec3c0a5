/// A test's change of a frame that the peer said, so that the kit can be seen to notice.
///
/// Returns other bytes of the same type, or nil for no frame.
package typealias FrameChange = @Sendable ([UInt8]) -> [UInt8]?
