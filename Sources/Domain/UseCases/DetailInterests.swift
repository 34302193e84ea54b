/// Who looks at which details of markets.
public typealias DetailInterests = Interests<DetailInterest>

/// A look at details of markets that is held until it is released.
public typealias DetailLease = Lease<DetailInterest>
