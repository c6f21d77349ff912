/**
 * The folders that are deployed, run as the functions of the real stack: what the bundles for the
 * cloud do to the code (parts left out, one start file, chunks for later, packages beside) changes
 * nothing of what it does. Every other test of the stack runs the bundles of `npm start`.
 */

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, describe, expect, it } from 'vitest';
import { buildFunction } from '../../infra/build-function.ts';
import { ROOT } from '../../infra/bundling.ts';
import { entryOf } from '../../infra/functions.ts';
import { FUNCTION_NAMES } from '../../lib/core/store/settings.ts';
import { putSkill, removeSkill } from '../../lib/features/skills/skill-store.ts';
import { definitionOf, skillText } from '../features/skills/skill-world.ts';
import { docx, paragraph, pdf } from '../support/documents.ts';
import { call, type Script, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../support/stack.ts';

const OWNER = 1001;
const because = { explanation: 'the owner asked for exactly this' };
const script: Script = (request) => {
  const [text, results] = [userTextOf(request), toolResultsOf(request)];
  if (results.length > 0) return say(`I read: ${results.join(' | ')}`);
  if (text.startsWith('keep ')) return call('remember', { text: text.slice(5), ...because });
  if (text.startsWith('work out ')) return call('calculate', { expression: text.slice(9), ...because });
  if (text.startsWith('how ')) return call('recall', { query: text, source: 'manual', ...because });
  if (text.startsWith('run ')) return call('run-code', { language: 'javascript', code: text.slice(4), ...because });
  return say(`re ${text}`);
};

// Beside the sources, where the log's function finds the S3 client that Lambda's runtime brings.
mkdirSync(join(ROOT, 'node_modules/.cache'), { recursive: true });
const folder = mkdtempSync(join(ROOT, 'node_modules/.cache/deployed-'));
for (const name of FUNCTION_NAMES) {
  const [built, entry] = [join(folder, name), join(folder, entryOf(name))];
  mkdirSync(built);
  buildFunction(name, built);
  mkdirSync(join(entry, '..'), { recursive: true });
  // An address that is not written out is left to the running function.
  const url = JSON.stringify(pathToFileURL(join(built, 'index.mjs')).href);
  writeFileSync(entry, `const url = ${url};\nexport const { handler } = await import(url);\n`);
}
const world = await startTestStack({
  script,
  allowedChats: [OWNER],
  approvers: [OWNER],
  functionsRoot: folder,
  isBundled: true,
});
afterAll(async () => {
  await world.stop();
  rmSync(folder, { recursive: true, force: true });
});

const post = async (text: string): Promise<string> =>
  (await world.api<{ id: string }>('POST', '/api/messages', { text })).body.id;
const ask = async (text: string) => world.settled(await post(text));

describe('the functions as they are deployed', () => {
  it('answer at the console, and over Telegram', async () => {
    expect((await ask('hello')).replies).toStrictEqual(['re hello']);
    const update = world.telegram.sendText(OWNER, OWNER, 'good day');
    await world.settled(signalIdOf(update));
    expect(world.telegram.sent(OWNER).map(({ text }) => text)).toStrictEqual(['re good day']);
  });

  it('read a PDF and a DOCX, in a function of their own', async () => {
    for (const bytes of [pdf(['four cups']), docx(paragraph('four cups'))]) {
      const document = { file_id: world.telegram.addFile(bytes), file_unique_id: 'd', file_name: 'a' };
      const update = world.telegram.sendMessage(OWNER, OWNER, { document, caption: 'how many?' } as never);
      await world.settled(signalIdOf(update));
      expect(JSON.stringify(world.model.requests.at(-1))).toContain('four cups');
    }
    expect(world.stack.environmentCounts().document).toBe(1);
  });

  it('serve the page from the files that stand beside', async () => {
    const response = await fetch(`${world.stack.url}/`);
    expect(response.status).toBe(200);
    const [, script = ''] = /src="(\/page\/[^"]+\.js)"/.exec(await response.text()) ?? [];
    expect(await (await fetch(`${world.stack.url}${script}`)).text()).toMatch(/^"use strict";/);
  });

  it('know the manual that stands beside, of which each prompt says the same', async () => {
    const asked = await ask('how do I pair a machine?');
    expect(asked.replies.join()).toMatch(
      /^I read: state: done\nPair a machine, .*npx passepartout runners pair <name> – on a computer/s,
    );
    const [first, second] = world.model.requests.slice(-2).map(({ messages }) => messages[0]?.content);
    expect(first).toContain(' How you work: recall source manual.');
    expect(second).toBe(first);
    expect((await ask('/help how do I pair a machine')).replies.join()).toContain(
      'npx passepartout runners pair <name>',
    );
  });

  it('remember, find again, forget, and say why', async () => {
    const note = await ask('keep the bike is blue');
    expect(note.decision?.actions[0]).toMatchObject({ state: 'done' });
    const found = (await ask('/recall bike')).replies.join();
    expect(found).toContain('the bike is blue');
    const id = /\b[0-9a-f]{6,32}\b/.exec(found)?.[0] ?? '';
    expect((await ask(`/forget ${id}`)).replies.join()).toContain('Forgotten');
    expect((await ask('/recall bike')).replies.join()).not.toContain('blue');
    const why = (await ask(`/why ${note.id}`)).replies.join();
    expect(why).toContain('remember: pass');
    expect(why).not.toContain('blue');
  });

  it('work out and run code in the sandbox that stands beside, the latter after a yes', async () => {
    expect((await ask('work out 6 * 7')).replies.join()).toContain('42');
    const id = await post('run console.log("ran " + 2 ** 10)');
    const { body } = await until('it waits', async () => {
      const answer = await world.api<{ approvals: { id: string }[] }>(
        'GET',
        '/api/approvals',
        undefined,
        APPROVER_TOKEN,
      );
      return answer.body.approvals.length === 1 && answer;
    });
    const yes = { decision: 'approve' };
    await world.api('POST', `/api/approvals/${body.approvals[0]?.id}`, yes, APPROVER_TOKEN);
    const view = await until('it ran', async () => {
      const now = await world.signal(id);
      return now.isTurnClosed && now;
    });
    expect(JSON.stringify(view)).toContain('ran 1024');
  });

  it('judge by the gate of a skill, and run its handler, with the engine that stands beside', async () => {
    const space = 'default';
    const source = { space, by: 'telegram:1001', now: Date.now(), signalId: 'con-skill' };
    await putSkill(world.table, source, {
      definition: definitionOf('guard', {
        gates: [{ name: 'limit', file: 'limit.js' }],
        handlers: [{ name: 'echo', file: 'echo.js', on: ['after-turn'] }],
      }),
      files: [
        skillText('guard'),
        {
          path: 'limit.js',
          text: 'function gate(action) { return /diamonds/.test(action.args?.text) ? { verdict: "block", reason: "too much" } : { verdict: "pass" }; }',
        },
        {
          path: 'echo.js',
          text: 'function handler({ event }) { return { do: [{ say: "ended: " + event.outcome }] }; }',
        },
      ],
      trust: 'owner',
    });
    const blocked = await ask('keep the diamonds');
    expect(JSON.stringify(blocked.decision?.attempts)).toContain('the skill guard-limit gate blocks: \\"too much\\"');
    const told = await ask('good evening');
    const event = await until('the handler has run', async () => {
      const now = await world.signal(`${told.id}/ha0`);
      return now.state === 'acted' && now;
    });
    expect(JSON.stringify(event)).toContain('ended: act');
    await removeSkill(world.table, { ...source, signalId: 'con-skill-2' }, 'guard');
  });

  it('keep to a policy of the owner, with the engine that stands beside', async () => {
    const text = '@id("no-codes") forbid(principal, action == Action::"remember", resource);';
    expect((await world.api('POST', '/api/policy', { text }, APPROVER_TOKEN)).status).toBe(200);
    expect(JSON.stringify((await ask('keep the code')).decision?.attempts)).toContain('(policy: no-codes)');
  });

  it('write the evidence log at a tick', async () => {
    await world.tick();
    await until('the log has it all', async () => {
      const { body } = await world.api<{ isWaiting: boolean; size: number }>('GET', '/api/log');
      return body.size > 10 && !body.isWaiting;
    });
  });

  it('log no error', () => {
    const errors = world
      .log()
      .split('\n')
      .filter((line) => line.includes('"level":"error"'));
    expect(errors).toStrictEqual([]);
  });
});
