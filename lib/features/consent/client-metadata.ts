/** Words of this program on itself as an OAuth client (RFC 7591, client ID metadata documents). */
import type { HttpRequest } from '../../core/http/function-url.ts';

export const clientMetadata = (redirects: readonly string[]) => ({
  client_name: 'Passepartout',
  redirect_uris: [...redirects],
  grant_types: ['authorization_code', 'refresh_token'],
  response_types: ['code'],
  token_endpoint_auth_method: 'none',
  application_type: 'native' as const,
});

export const CLIENT_PATH = '/oauth-client';

/** A terminal listens at a port of its own, which counts for none (RFC 8252, section 7.3). */
const REDIRECTS: readonly string[] = ['http://127.0.0.1/callback'];

/** The document at the address by which this stack is known as a client. */
export const clientDocument = ({ headers }: Pick<HttpRequest, 'headers'>) => ({
  client_id: `https://${headers.host ?? ''}${CLIENT_PATH}`,
  ...clientMetadata(REDIRECTS),
});
