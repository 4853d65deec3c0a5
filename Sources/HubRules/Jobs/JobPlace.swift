/// Where a bulk job reads or writes.
package enum JobPlace: Hashable, Sendable {
    /// Names of folders, and for an input of a file, below the hub's own folder for jobs.
    case folder([String])
    /// An address that the operator allows.
    case web(JobAddress)
}
