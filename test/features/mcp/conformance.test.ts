/**
 * The client half of the protocol's own conformance suite, at the revision that this client speaks,
 * but for what it does not have: it signs in nowhere, and it declines a server's question, which
 * one scenario wants accepted.
 */
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';

const run = promisify(execFile);
const suite = fileURLToPath(
  new URL('../../../node_modules/@modelcontextprotocol/conformance/dist/index.js', import.meta.url),
);
const client = `${process.execPath} ${fileURLToPath(new URL('conformance-client.ts', import.meta.url))}`;

// A slow machine answers late: the scenario's clock is not asked.
const SCENARIOS = [
  ['initialize', ['mcp-client-initialization']],
  ['tools_call', ['tool-add-numbers']],
  ['sse-retry', ['client-sse-graceful-reconnect', 'client-sse-last-event-id']],
] as const;
const REVISION = '2025-11-25';
const ACCEPTED_QUESTION = 'elicitation-sep1034-client-defaults';

describe('the conformance suite of MCP', () => {
  it('has no further scenario for a client that signs in nowhere', async () => {
    const { stdout } = await run(process.execPath, [suite, 'list', '--requirements', REVISION]);
    const [, required = ''] = /Client scenarios([\s\S]*?)\n\n/.exec(stdout) ?? [];
    const listed = [...required.matchAll(/^ +- (\S+)/gm)].map(([, name]) => name);
    const ours = listed.filter((name) => !name?.startsWith('auth/') && name !== ACCEPTED_QUESTION);
    expect(ours.toSorted()).toStrictEqual(SCENARIOS.map(([name]) => name).toSorted());
  });

  it.each(SCENARIOS)('%s', async (scenario, checks) => {
    const words = [suite, 'client', '--command', client, '--scenario', scenario, '--spec-version', REVISION];
    const env = { ...process.env, NO_COLOR: '1' };
    const { stdout, stderr } = await run(process.execPath, words, { env }).catch((error) => error);
    for (const check of checks)
      expect(stripVTControlCharacters(`${stdout}${stderr}`)).toMatch(new RegExp(`\\[${check} *\\] SUCCESS`));
  });
});
