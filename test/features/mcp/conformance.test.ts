/** The client half of the protocol's own conformance suite, but for logins. */
import { describe, expect, it } from 'vitest';
import { listScenarios, runScenario } from '../../support/conformance.ts';

const SCENARIOS = [
  'initialize',
  'tools_call',
  'sse-retry',
  'request-metadata',
  'sep-2322-client-request-state',
  'http-standard-headers',
  'http-custom-headers',
  'http-invalid-tool-headers',
  'json-schema-ref-no-deref',
  'json-schema-2020-12-preservation',
];
/** Those that this client does not have, and why. */
const NOT_OURS: Readonly<Record<string, string>> = {
  'elicitation-sep1034-client-defaults': "nobody is there to answer a server's question: each is declined",
  'sep-2640-client-no-prefetch': 'skills of servers are not read',
  'sep-2640-client-verify-digest': 'skills of servers are not read',
  'sep-2640-client-verify-size': 'skills of servers are not read',
  'sep-2640-client-verify-frontmatter': 'skills of servers are not read',
};

describe('the conformance suite of MCP', () => {
  it('has no further scenario beside those of logins', async () => {
    const others = (await listScenarios()).filter((name) => !name.startsWith('auth/'));
    expect(others.toSorted()).toStrictEqual([...SCENARIOS, ...Object.keys(NOT_OURS)].toSorted());
  });

  it.each(SCENARIOS)('%s', async (scenario) => {
    expect(await runScenario(scenario)).toMatch(/Passed: (\d+)\/\1, 0 failed, 0 warnings.*OVERALL: PASSED/s);
  });
});
