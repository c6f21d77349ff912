/** Calls of one answer that wait together: one card, one tap, each decided by its own record. */
import { afterAll, describe, expect, it } from 'vitest';
import { ALL_LISTED, listData, parseListData } from '../../lib/core/approvals/similar.ts';
import { hashOfList, loadListed } from '../../lib/core/judge/listed-cards.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { BECAUSE } from './adversity-world.ts';
import { buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const build = async (refs: readonly string[]) => {
  let isAsked = false;
  const prompts: string[] = [];
  const done: string[] = [];
  const shown: Action[] = [];
  const world = buildApprovalWorld(dynamo.table, {
    answer: (prompt) => {
      prompts.push(JSON.stringify(prompt.messages));
      if (isAsked) return { content: 'That is how it went.' };
      isAsked = true;
      return {
        toolCalls: refs.map((ref, n) => ({
          id: `c${n}`,
          name: 'call-webhook',
          argumentsText: JSON.stringify({ webhook: 'deploys', body: { ref }, explanation: BECAUSE }),
        })),
      };
    },
    outside: (action) => {
      const { target, args = {} } = action;
      shown.push(action);
      if (target !== 'webhook') return { state: 'done', output: JSON.stringify({ messageIds: [5] }), origin: 'agent' };
      const { ref } = args.body as { ref: string };
      done.push(ref);
      return { state: 'done', output: `${ref} went well`, origin: 'agent' };
    },
  });
  const id = await world.say('deploy them');
  const { effects } = await world.evidence(id);
  const ids = effects.flatMap(({ approvalId }) => approvalId ?? []);
  const load = () => loadListed(dynamo.table, { space: world.space, signalId: id, id: ids[0] ?? '' });
  const listed = await load();
  const hash = hashOfList(listed.map(({ approval }) => approval));
  let taps = 0;
  const tap = (
    decision: 'approve' | 'deny' | 'show-similar',
    choice: { n: number; at: number } = { n: ALL_LISTED, at: hash },
    sender = {},
  ) => {
    taps += 1;
    const payload = {
      sensor: 'approval-decision' as const,
      approvalId: ids[0] ?? '',
      decision,
      choice,
      card: { chat: '7', message: 5 },
    };
    const signal = signalWith(world.space, `tg-1-${70 + taps}`, payload, '7', world.simulation.now());
    return world.send({ ...signal, ...sender });
  };
  const cards = () => shown.filter(({ template = '' }) => /^approval-(?:card|list)/.test(template));
  return { ...world, id, ids, done, shown, hash, tap, cards, load, heard: () => prompts.at(-1) ?? '', prompts };
};

describe('the card of several calls', () => {
  it('is one message with each action in plain lines, and all details below', async () => {
    const world = await build(['one', 'two', 'three']);
    const sent = world.cards();
    expect(sent.map(({ template, card, similarAt }) => [template, card, similarAt])).toStrictEqual([
      ['approval-list-3', world.ids[0], world.hash],
    ]);
    const [shown = '', details = ''] = sent[0]?.text?.split('\nDetails') ?? [];
    expect(shown.split('\n')).toStrictEqual([
      '3 of 3 actions of one answer wait for your yes:',
      '1. Call the webhook deploys: ref “one”',
      '2. Call the webhook deploys: ref “two”',
      '3. Call the webhook deploys: ref “three”',
    ]);
    for (const exact of ['{"ref":"one"}', '{"ref":"two"}', '{"ref":"three"}']) expect(details).toContain(exact);
  });

  it.each<['approve' | 'deny', done: readonly string[], state: string, words: string, answer: string]>([
    ['approve', ['one', 'two'], 'done', 'Approved 2:', 'That is how it went.'],
    ['deny', [], 'refused', 'Denied 2:', 'That is how it went.\n\n(Nothing was sent, booked or saved in this turn.)'],
  ])('%s decides each by its own record, once', async (decision, done, state, words, answer) => {
    const world = await build(['one', 'two']);
    await world.tap(decision);
    await world.tap(decision);
    expect(world.done).toStrictEqual(done);
    expect(await world.statesOf(world.id)).toStrictEqual([state, state]);
    expect(world.texts().filter((text) => text?.startsWith(words))).toHaveLength(1);
    // The model hears of both in one turn, which answers once.
    expect(world.simulation.modelCalls()).toBe(2);
    expect(world.texts().filter((text) => text === answer)).toHaveLength(1);
    const approvals = await Promise.all(world.ids.map(world.approval));
    expect(new Set(approvals.map(({ decidedBy }) => decidedBy)).size).toBe(1);
  });

  it('leaves what was decided by itself, and shows how each ended', async () => {
    const world = await build(['one', 'two', 'three']);
    await world.send(world.tapOf(world.ids[1] ?? '', 'deny'));
    await world.tap('approve');
    expect(world.done).toStrictEqual(['one', 'three']);
    expect(await world.statesOf(world.id)).toStrictEqual(['done', 'refused', 'done']);
    const last = world.shown.findLast(({ edits }) => edits !== undefined);
    expect(last?.template).toBe('card-update');
    expect(last?.text).toMatch(
      /^3 actions of one answer:\n1\. .*\nAPPROVED by .*Done\.\n2\. .*\nDENIED .*\n3\. .*\nAPPROVED by .*Done\.\n/,
    );
  });

  it.each<[who: string, second: (world: Awaited<ReturnType<typeof build>>) => Promise<unknown>]>([
    ['one by one', (world) => world.send(world.tapOf(world.ids[0] ?? '', 'approve'))],
    ['all but one', (world) => world.send(world.tapOf(world.ids[1] ?? '', 'deny'))],
  ])('tells the model each result if some were decided before, %s', async (_, before) => {
    const world = await build(['one', 'two', 'three']);
    await before(world);
    const calls = world.simulation.modelCalls();
    await world.tap('approve');
    expect(world.simulation.modelCalls()).toBe(calls + 1);
    const heard = world.heard();
    for (const ref of world.done) expect(heard).toContain(`${ref} went well`);
  });

  it('tells the model each result if a tap died half-way and another one came before it was repeated', async () => {
    const world = await build(['one', 'two', 'three']);
    // The first one is approved by the tap on all, which is given again after that on the third.
    await world.changeApproval(world.ids[0] ?? '', { state: 'approved', decidedBy: 'tg-1-71', decider: 'telegram:7' });
    await world.send(world.tapOf(world.ids[2] ?? '', 'approve'));
    await world.tap('approve');
    expect(world.done.toSorted()).toStrictEqual(['one', 'three', 'two']);
    for (const ref of world.done) expect(world.prompts.join()).toContain(`${ref} went well`);
  });

  it('opens one by its number in place of the list, and goes back', async () => {
    const world = await build(['one', 'two']);
    await world.tap('show-similar', { n: 1, at: world.hash });
    const open = world.shown.at(-1);
    expect([open?.template, open?.card, open?.edits]).toStrictEqual([
      'approval-card-listed',
      world.ids[1],
      { message: 5 },
    ]);
    await world.send(world.tapOf(world.ids[1] ?? '', 'hide-similar'));
    expect(world.shown.at(-1)?.template).toBe('approval-list-2');
    expect(world.done).toStrictEqual([]);
  });

  it.each<[why: string, tap: (world: Awaited<ReturnType<typeof build>>) => Promise<unknown>]>([
    ['another list', (world) => world.tap('approve', { n: ALL_LISTED, at: world.hash + 1 })],
    [
      'somebody who may not',
      (world) => world.tap('approve', undefined, { sender: { id: 'telegram:8', isApprover: false } }),
    ],
    [
      'a list with other bytes',
      async (world) => {
        await world.changeApproval(world.ids[1] ?? '', { actionHash: 'f'.repeat(64) });
        return world.tap('approve');
      },
    ],
    ['the card of one that was opened', (world) => world.tap('show-similar', { n: 0, at: world.hash })],
  ])('decides nothing for %s', async (_, tap) => {
    const world = await build(['one', 'two']);
    await tap(world);
    expect(world.done).toStrictEqual([]);
    expect(await world.statesOf(world.id)).toStrictEqual(['suspended', 'suspended']);
  });

  it('is none for one call, and leaves out what does not fit', async () => {
    expect((await build(['one'])).cards().map(({ template }) => template)).toStrictEqual(['approval-card']);
    const world = await build(['one', 'x'.repeat(3_000), 'two']);
    expect(world.cards().map(({ template }) => template)).toStrictEqual(['approval-list-2', 'approval-card']);
    await world.tap('approve');
    expect(world.done).toStrictEqual(['one', 'two']);
  });

  it('has buttons of at most 64 bytes, which are read as they are written', () => {
    const id = 'a'.repeat(32);
    for (const what of ['all', 'none', 0, 7] as const) {
      const data = listData(id, what, 2 ** 48 - 1);
      expect(Buffer.byteLength(data)).toBeLessThanOrEqual(64);
      expect(parseListData(data)).toStrictEqual({ approvalId: id, what, hash: 2 ** 48 - 1 });
    }
  });
});
