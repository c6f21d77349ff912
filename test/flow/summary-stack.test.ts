/**
 * A conversation of thirty turns on the whole local stack: what its first turn said is known in the
 * thirty-first, by a summary that can be looked at, explained and verified, and that goes with the
 * note it was made from.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { HISTORY_TURNS_KEPT } from '../../lib/core/ledger/session.ts';
import { openCli, type TestCli } from '../support/cli.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { startTestStack, until } from '../support/stack.ts';

const FACT = 'my dentist is Doctor Krull';
const TURNS = 30;

const allOf = ({ messages }: ModelServerRequest): string => messages.map(({ content }) => content ?? '').join('\n');
const isAsked = ({ tools }: ModelServerRequest): boolean =>
  tools.some(({ function: { name } }) => name === 'summarise-session');

/** A summary that is asked for meanwhile is not answered before. */
let release: Promise<void> | undefined;

const world = await startTestStack({
  isPolling: false,
  script: async (request) => {
    const explanation = 'It was asked for just now.';
    if (isAsked(request)) {
      await release;
      const fact = /dentist is Doctor \w+/u.exec(allOf(request))?.[0] ?? 'nothing of note';
      return call('summarise-session', { text: `The person's ${fact}.`, explanation });
    }
    if (userTextOf(request).startsWith('remember') && toolResultsOf(request).length === 0)
      return call('remember', { text: FACT, explanation });
    return say('ok');
  },
});
const command = openCli(world.stack.url);
afterAll(async () => {
  await world.stop();
  command.remove();
});

const cli: TestCli['run'] = (...words) => command.run(...words);

const talk = async (text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text });
  await world.settled(body.id);
  return body.id;
};
const summarySignals = async (): Promise<readonly string[]> =>
  (await world.scan()).flatMap(({ pk, sk }) => {
    const id = String(pk).split('#')[2] ?? '';
    return sk === 'record' && id.startsWith('sum-') ? [id] : [];
  });

describe('a conversation of thirty turns on the stack', () => {
  it('keeps its thread by one summary, which is in memory, in why and in the evidence', async () => {
    await talk(`remember ${FACT}`);
    for (let n = 2; n <= TURNS - 1; n += 1) await talk(`small talk ${n}`);
    await talk(`small talk ${TURNS}`);
    const [first = ''] = await until('a summary is asked for', async () => {
      const ids = await summarySignals();
      return ids.length > 0 && ids;
    });
    await world.settled(first);
    const last = await talk('who is my tooth doctor?');
    const prompt = world.model.requests.findLast((request) => userTextOf(request).includes('tooth doctor'));
    if (prompt === undefined) throw new Error('nobody was asked');
    expect(prompt.messages[1]?.content).toMatch(
      /^⟦summary [0-9a-f]{32} v\d \(session, agent\)⟧\n.*\nThe person's dentist is Doctor Krull\./u,
    );
    const id = /summary ([0-9a-f]{32})/u.exec(prompt.messages[1]?.content ?? '')?.[1] ?? '';
    expect(prompt.messages.filter(({ content }) => content === `remember ${FACT}`)).toStrictEqual([]);

    expect((await cli('memory')).out).toContain('Conversation console:main');
    expect((await cli('memory', 'show', id)).out).toContain('Doctor Krull');
    expect((await cli('memory', 'audit', id)).out).toContain(first);
    expect((await cli('seen-by', id, '--since', '1d')).out).toContain(last);
    expect((await cli('why', first)).out).toContain('summarise-session');
    expect((await cli('replay', first)).out).toMatch(/^ +0 {2}different$/mu);
    // Nobody was told of it.
    expect((await world.signal(first)).replies).toStrictEqual([]);
  });

  it('is forgotten with the note, and the evidence that is left verifies and holds no word of it', async () => {
    const note = /([0-9a-f]{8,32})[^\n]*Doctor Krull/u.exec((await cli('memory', 'recall', 'dentist')).out)?.[1] ?? '';
    const forgotten = await cli('memory', 'forget', note);
    expect(forgotten.out).toContain('Summaries and notes made from it are forgotten too: 1.');
    const holding = (await world.scan()).filter((item) => JSON.stringify(item).includes('Krull'));
    expect(holding.map(({ pk, sk }) => `${String(pk)} ${String(sk)}`)).toStrictEqual([]);
    await talk('who is my tooth doctor then?');
    const prompt = world.model.requests.findLast((request) => userTextOf(request).includes('doctor then'));
    expect(allOf(prompt ?? ({ ...world.model.requests[0], messages: [] } as ModelServerRequest))).not.toContain(
      'Krull',
    );
    const file = join(command.folder, 'evidence.jsonl');
    expect(await cli('evidence', 'export', '--out', file)).toMatchObject({ code: 0, err: '' });
    expect(readFileSync(file, 'utf8')).not.toContain('Krull');
    expect((await cli('verify', file)).code).toBe(3);
  });

  it('makes nobody wait: a message is answered beside it, and the next ones know it', async () => {
    const held = Promise.withResolvers<void>();
    release = held.promise;
    const before = await summarySignals();
    const askedBefore = world.model.requests.filter(isAsked).length;
    for (let n = 1; world.model.requests.filter(isAsked).length === askedBefore; n += 1) await talk(`more talk ${n}`);
    const [id = ''] = (await summarySignals()).filter((one) => !before.includes(one));
    await talk('and beside it?');
    const beside = world.model.requests.findLast((request) => userTextOf(request).includes('beside it'));
    // Its prompt still shows the turns that left.
    expect(beside?.messages.filter(({ role }) => role === 'user').length).toBeGreaterThan(HISTORY_TURNS_KEPT + 1);
    await talk('and once more?');
    expect(await world.signal(id)).toMatchObject({ turn: 'running' });
    held.resolve();
    expect(await world.settled(id)).toMatchObject({ state: 'acted' });
    await talk('and afterwards?');
    const prompt = world.model.requests.findLast((request) => userTextOf(request).includes('afterwards'));
    expect(prompt?.messages[1]?.content).toMatch(/^⟦summary [0-9a-f]{32} v\d \(session, agent\)⟧\n/u);
    expect((await summarySignals()).filter((one) => !before.includes(one))).toStrictEqual([id]);
  });
});
