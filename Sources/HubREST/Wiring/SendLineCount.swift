/// Lines of one request with many sends that ended alike.
package struct SendLineCount: Hashable, Sendable {
    /// 201, or the status with which the line was refused.
    package var status: Int
    /// The sub code of the refusal; 0 for a line that was accepted.
    ///
    /// Source: REST §2.5.
    package var subCode: Int
    /// How many.
    package var count: Int

    /// Makes one of its parts.
    package init(status: Int, subCode: Int, count: Int) {
        self.status = status
        self.subCode = subCode
        self.count = count
    }
}
