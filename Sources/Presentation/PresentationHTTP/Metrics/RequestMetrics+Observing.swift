extension RequestMetrics: RequestObserver {
    /// Tallies of the routes of the service.
    public convenience init() { self.init(routes: Route.all.map(\.template)) }

    /// Counts a request; an event stream's duration says nothing of how quick answers are.
    public func observe(_ request: RequestRecord) {
        count(
            route: request.route,
            status: request.status,
            duration: request.isStream ? nil : request.duration,
            bytes: request.byteCount
        )
    }
}
