/// Who carries out what a writer's loop says.
package protocol WriterOutput {
    /// Carries out one action; they come in the order in which they must happen.
    mutating func perform(_ action: DirectoryAction)
}
