/// The rates of a hub that callers use up.
struct HubRates {
    /// Test sends.
    var testSends = TestSendRate()
    /// New registrations.
    var newRegistrations = NewRegistrations()
    /// Limits that the operator heard of.
    var told = ToldLimits()
}
