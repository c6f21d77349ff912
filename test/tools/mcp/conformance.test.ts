/**
 * The client half of the protocol's own conformance suite, but for what this client does not have:
 * it signs in nowhere, and it declines a server's question, which one scenario wants accepted.
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

describe('the conformance suite of MCP', () => {
  // A slow machine answers late: the scenario's clock is not asked.
  it.each([
    ['initialize', ['mcp-client-initialization']],
    ['tools_call', ['tool-add-numbers']],
    ['sse-retry', ['client-sse-graceful-reconnect', 'client-sse-last-event-id']],
  ])('%s', async (scenario, checks) => {
    const words = [suite, 'client', '--command', client, '--scenario', scenario];
    const env = { ...process.env, NO_COLOR: '1' };
    const { stdout, stderr } = await run(process.execPath, words, { env }).catch((error) => error);
    for (const check of checks)
      expect(stripVTControlCharacters(`${stdout}${stderr}`)).toMatch(new RegExp(`\\[${check} *\\] SUCCESS`));
  });
});
