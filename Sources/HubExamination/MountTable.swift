/// The file systems that a process sees, as `/proc/self/mountinfo` has them.
///
///     36 35 98:0 /mnt1 /mnt2 rw,noatime master:1 - ext3 /dev/root rw,errors=continue
struct MountTable {
    /// One of them.
    struct Mount: Equatable {
        var place: String
        var type: String
        var options: [String]
    }

    let mounts: [Mount]

    /// Reads the kernel's text; lines of another form are left out.
    init(_ text: String) {
        mounts = text.split(separator: "\n").compactMap { line in
            let fields = line.split(separator: " ").map(String.init)
            guard let dash = fields.firstIndex(of: "-"), dash >= 6, fields.count > dash + 3 else {
                return nil
            }
            let options = fields[5].split(separator: ",") + fields[dash + 3].split(separator: ",")
            return Mount(
                place: Self.unescaped(fields[4]),
                type: fields[dash + 1],
                options: options.map(String.init)
            )
        }
    }

    /// The file system of an absolute path: of those at or above it the last one that was mounted
    /// nearest to it.
    func mount(of path: String) -> Mount? {
        func holds(_ mount: Mount) -> Bool {
            mount.place == "/" || mount.place == path || path.hasPrefix(mount.place + "/")
        }
        return mounts.filter(holds).reduce(nil) { found, next in
            guard let found, next.place.count < found.place.count else { return next }
            return found
        }
    }

    /// Blanks are written as `\040`.
    private static func unescaped(_ field: String) -> String {
        field.replacing("\\040", with: " ").replacing("\\011", with: "\t")
            .replacing("\\134", with: "\\")
    }
}
