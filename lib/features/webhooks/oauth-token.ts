/** OAuth 2 client credentials (RFC 6749, 4.4), kept until shortly before the token expires. */
import * as z from 'zod/mini';
import { readJson } from '../../core/base/json.ts';
import { KIB, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import { addressRange } from '../../core/gates/rules/address-ranges.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';
import { resolveAddresses } from '../../core/http/resolve-addresses.ts';
import type { ActuatorResult } from '../../core/signal/actuator.ts';
import type { WebhookTarget } from '../../core/store/setting-forms.ts';

type Client = NonNullable<WebhookTarget['oauth']>;

const TOKEN_BYTES_MAX = 16 * KIB;
/** A token that ends this soon is fetched anew: the call itself takes time. */
const TOKEN_RESERVE_MS = MINUTE_MS;
/** Of a token that does not say when it expires. */
const TOKEN_MS_DEFAULT = 5 * MINUTE_MS;

const Answer = z.object({
  access_token: z.string().check(z.regex(/^[\x21-\x7e]{1,8192}$/)),
  token_type: z.optional(z.string().check(z.regex(/^bearer$/i))),
  expires_in: z.optional(z.number()),
});

/** By client: a secret that was changed has another token. */
const tokens = new Map<string, { readonly token: string; readonly until: number }>();
const nameOf = ({ url, id, secret, scope = '' }: Client): string => JSON.stringify([url, id, secret, scope]);

/** The service does not take it any more. */
export const forgetToken = (client: Client): void => {
  tokens.delete(nameOf(client));
};

const retry = (reason: string): ActuatorResult => ({ state: 'retry', reason });
const failed = (reason: string): ActuatorResult => ({ state: 'failed', reason });

/** Name and password as `application/x-www-form-urlencoded` writes them (RFC 6749, 2.3.1). */
const basicOf = ({ id, secret }: Client): string =>
  `Basic ${Buffer.from([id, secret].map((text) => new URLSearchParams({ x: text }).toString().slice(2)).join(':')).toString('base64')}`;

const ask = async (client: Client, addresses: readonly string[], signal: AbortSignal): Promise<Response> =>
  buildOutgoingFetch({ peer: 'the token service', bytesMax: TOKEN_BYTES_MAX, addresses })(client.url, {
    method: 'POST',
    headers: {
      accept: 'application/json',
      authorization: basicOf(client),
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: new URLSearchParams({
      grant_type: 'client_credentials',
      ...(client.scope === undefined ? {} : { scope: client.scope }),
    }).toString(),
    signal,
  });

/** @param now epoch milliseconds. @returns the token, or how the effect ends without one */
export const fetchToken = async (
  client: Client,
  isLoopbackAllowed: boolean,
  now: number,
  signal: AbortSignal,
): Promise<string | ActuatorResult> => {
  const known = tokens.get(nameOf(client));
  if (known !== undefined && known.until > now) return known.token;
  const addresses = await resolveAddresses(client.url);
  const allowed = isLoopbackAllowed ? ['public', 'loopback'] : ['public'];
  if (addresses.length === 0) return retry('the host of the token service was not resolved');
  if (addresses.some((address) => !allowed.includes(addressRange(address))))
    return failed('the token service has an address that may not be called');
  let status: number;
  let text: string;
  try {
    const response = await ask(client, addresses, signal);
    status = response.status;
    text = await response.text();
  } catch {
    return retry('the token service did not answer');
  }
  if (status === 429 || status >= 500) return retry(`the token service gives no token now (status ${status})`);
  if (status !== 200) return failed(`the token service refuses this client (status ${status})`);
  const answer = Answer.safeParse(readJson(text)).data;
  if (answer === undefined) return failed('the token service gave no bearer token');
  const lifeMs = answer.expires_in === undefined ? TOKEN_MS_DEFAULT : answer.expires_in * SECOND_MS;
  tokens.set(nameOf(client), { token: answer.access_token, until: now + lifeMs - TOKEN_RESERVE_MS });
  return answer.access_token;
};
