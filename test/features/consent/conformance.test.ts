/** The scenarios of logins in the client half of the protocol's own conformance suite. */
import { describe, expect, it } from 'vitest';
import { listScenarios, runScenario } from '../../support/conformance.ts';
import { TAKES_MORE } from '../../support/sample.ts';

const SCENARIOS = [
  ...['basic-cimd', 'metadata-default', 'metadata-var1', 'metadata-var2', 'metadata-var3', 'pre-registration'],
  ...['scope-from-www-authenticate', 'scope-from-scopes-supported', 'scope-omitted-when-undefined'],
  ...['scope-step-up', 'scope-retry-limit', 'offline-access-scope', 'offline-access-not-supported'],
  ...['token-endpoint-auth-basic', 'token-endpoint-auth-post', 'token-endpoint-auth-none'],
  ...['iss-supported', 'iss-not-advertised', 'iss-supported-missing', 'iss-wrong-issuer', 'iss-unexpected'],
  ...['iss-normalized', 'metadata-issuer-mismatch', 'resource-mismatch', 'authorization-server-migration'],
  '2025-03-26-oauth-metadata-backcompat',
];
/** Always tried, one of each kind: all of them take a minute. */
const SAMPLE = ['basic-cimd', 'scope-step-up', 'iss-wrong-issuer', 'authorization-server-migration'];
/** Those that this client does not have, and why. */
const NOT_OURS: Readonly<Record<string, string>> = {
  '2025-03-26-oauth-endpoint-fallback': 'nothing says that a code is bound to who asked (PKCE): refused, as it must be',
  'client-credentials-jwt': 'an extension: a person consents to each login here',
  'client-credentials-basic': 'an extension: a person consents to each login here',
  'enterprise-managed-authorization': 'an extension: a person consents to each login here',
  'wif-jwt-bearer': 'an extension: a person consents to each login here',
  dpop: 'an extension: tokens of this kind are refused',
  'dpop-nonce': 'an extension: tokens of this kind are refused',
};

describe('the conformance suite of MCP', () => {
  it('has no further scenario of logins', async () => {
    const logins = (await listScenarios()).flatMap((name) => (name.startsWith('auth/') ? [name.slice(5)] : []));
    expect(logins.toSorted()).toStrictEqual([...SCENARIOS, ...Object.keys(NOT_OURS)].toSorted());
  });

  it.each(TAKES_MORE ? SCENARIOS : SAMPLE)('%s', async (scenario) => {
    expect(await runScenario(`auth/${scenario}`)).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings.*OVERALL: PASSED/s);
  });
});
