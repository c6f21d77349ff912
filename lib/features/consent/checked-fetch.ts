/**
 * A `fetch` for addresses that a stranger's metadata names: each is judged before it is asked, and
 * the connection goes to the judged addresses alone. Public hosts over https; this machine only if
 * the server itself is on it. Bounded in time and bytes; no redirect leaves its origin.
 */
import { ProtocolError } from '../../core/base/errors.ts';
import { KIB, SECOND_MS } from '../../core/base/limits.ts';
import { addressRange } from '../../core/gates/rules/address-ranges.ts';
import { outsideUrlProblem } from '../../core/gates/rules/network.ts';
import { buildOutgoingFetch, type OutgoingFetch } from '../../core/http/outgoing.ts';
import { resolveAddresses } from '../../core/http/resolve-addresses.ts';
import { isLoopback } from '../../core/store/setting-forms.ts';

/** Metadata, a registration or tokens: documents of a few KB. */
const ANSWER_BYTES_MAX = 256 * KIB;
/** One request: a login makes four, a renewal one, and Act has a minute. */
export const CONSENT_REQUEST_MS = 8 * SECOND_MS;

/**
 * @param server address of the MCP server, as the owner wrote it
 * @throws ProtocolError for an address that a login may not lead to
 */
export const checkLoginUrl = (server: string, text: string): URL => {
  const url = URL.parse(text);
  if (url !== null && isLoopback(url) && isLoopback(new URL(server)) && url.username === '' && url.password === '')
    return url;
  if (url?.protocol !== 'https:' || outsideUrlProblem(text) !== undefined)
    throw new ProtocolError('the login leads to an address that may not be called');
  return url;
};

const checkedAddresses = async (server: string, url: URL): Promise<readonly string[]> => {
  const isHere = isLoopback(url) && isLoopback(new URL(server));
  const addresses = await resolveAddresses(url.href);
  if (addresses.length === 0) throw new ProtocolError('a host of the login has no address');
  if (addresses.some((address) => addressRange(address) !== (isHere ? 'loopback' : 'public')))
    throw new ProtocolError('the login leads to an address that may not be called');
  return addresses;
};

export const buildCheckedFetch = (server: string): OutgoingFetch => {
  return async (input, init = {}) => {
    const url = checkLoginUrl(server, input instanceof Request ? input.url : String(input));
    const addresses = await checkedAddresses(server, url);
    const bounds = { peer: 'the login', bytesMax: ANSWER_BYTES_MAX, addresses, areRedirectsGiven: true };
    const body = init.body instanceof URLSearchParams ? init.body.toString() : init.body;
    const signal = AbortSignal.timeout(CONSENT_REQUEST_MS);
    return buildOutgoingFetch({ ...bounds, connectTimeoutMs: CONSENT_REQUEST_MS })(url, {
      ...init,
      ...(body === undefined ? {} : { body }),
      signal,
    });
  };
};
