import Glibc

/// A pause of the calling thread between two attempts.
enum PostgresPause {
    static func of(_ duration: Duration) {
        usleep(UInt32(clamping: Int64(duration / .microseconds(1))))
    }
}
