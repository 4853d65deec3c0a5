/// The hosts that a service's handles may name.
package enum ServiceHosts {
    /// The Windows push service.
    package static let windows = ["notify.windows.com", "wns.windows.com"]
    /// The push services of browsers.
    package static let browser = [
        "fcm.googleapis.com", "jmt17.google.com", "push.services.mozilla.com", "push.apple.com",
        "notify.windows.com",
    ]
}
