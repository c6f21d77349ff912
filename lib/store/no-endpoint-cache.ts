/**
 * Stands in a bundle for the AWS SDK's cache of discovered endpoints. DynamoDB's client makes one for endpoint discovery, which
 * is off and which none of its operations needs; the real one brings two packages with it. Keeps nothing and knows nothing, so
 * that a client that did ask would look again each time. A class, because the SDK calls it with `new`.
 */
export class EndpointCache {
  getEndpoint(): undefined {
    return undefined;
  }
  get(): undefined {
    return undefined;
  }
  has(): boolean {
    return false;
  }
  set(): void {}
  delete(): void {}
  clear(): void {}
}
