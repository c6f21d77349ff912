/** What `doctor` says of the MCP server. */
import { describe, expect, it } from 'vitest';
import { runCli } from '../../cli/cli-world.ts';
import { APPROVER_TOKEN, startTestStack } from '../../support/stack.ts';

const EDITOR = JSON.stringify({ editor: { token: 'token-of-an-editor-001', scopes: ['read', 'speak'] } });

const lineOf = async (isServed: boolean, env: Readonly<Record<string, string>>, language = 'en') => {
  const test = await startTestStack({
    isPolling: false,
    environment: { API_TOKENS: EDITOR, MCP_DOOR: isServed ? 'on' : 'off' },
  });
  try {
    const { out } = await runCli(['doctor'], test.dataDir, { env: { APPROVER_TOKEN, LANG: language, ...env } });
    return { url: test.stack.url, line: /(?:programs|Programme) .*\n.*/.exec(out)?.[0] };
  } finally {
    await test.stop();
  }
};

describe('doctor', () => {
  it('says at which address it answers, and the scopes of the tokens that may use it', async () => {
    const { url, line } = await lineOf(true, { MCP_DOOR: 'on', API_TOKENS: EDITOR });
    expect(line).toMatch(`${url}/mcp answers, for the tokens editor (read, speak)`);
  });

  it('says that no program has a token', async () => {
    const { line } = await lineOf(true, { MCP_DOOR: 'on' }, 'de');
    expect(line).toMatch(/kein Token darf \/mcp benutzen\n +→ einem Programm in API_TOKENS/);
  });

  it('says that the stack was not started again', async () => {
    const { url, line } = await lineOf(false, { MCP_DOOR: 'on', API_TOKENS: EDITOR });
    expect(line).toMatch(new RegExp(`nothing answers at ${url}/mcp\\n +→ MCP_DOOR is on in .env: npm start again`));
  });

  it('says nothing of a server that nobody wanted', async () => {
    expect((await lineOf(false, {})).line).toBeUndefined();
  });
});
