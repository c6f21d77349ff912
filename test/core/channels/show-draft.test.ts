/**
 * What Act shows of a draft: on stored chunks as Reason leaves them, and everything that keeps it
 * from showing them.
 */
import { describe, expect, it } from 'vitest';
import { type ShowDraftDeps, showDraft } from '../../../lib/core/channels/show-draft.ts';
import { actionHash, replyAction } from '../../../lib/core/signal/action.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import type { Item } from '../../../lib/core/store/table.ts';
import { sendersShowing } from '../../support/senders-showing.ts';
import { buildSignal } from '../edge/console/stored-fixtures.ts';

const AT = 1_790_000_000_000;
const TEXT = 'The bike is blue and stands in the shed, as it has since the spring of last year.';
const ID = 'tg-42-7';
const signal = buildSignal(ID, { source: 'telegram', session: 'telegram:77', reply: { target: 'telegram', to: '77' } });
const recordOf = (of: Signal = signal, state = 'perceived'): Item => ({
  pk: 'signal#default#x',
  sk: 'record',
  schemaVersion: 1,
  state,
  signal: JSON.stringify(of),
  round: 0,
  sweeps: 0,
});
const chunkOf = (text = TEXT, changes: object = {}): Item => ({
  sk: 'stream#1#0',
  schemaVersion: 1,
  attempt: 1,
  n: 0,
  text,
  chars: text.length,
  hash: actionHash(replyAction(text, signal.reply)),
  trace: JSON.stringify(['kill-switch']),
  gateSet: 'g',
  at: AT,
  ...changes,
});

const show = async (
  items: readonly Item[],
  changes: Partial<ShowDraftDeps> = {},
  stoppedAt?: number,
  signalId: string = ID,
) => {
  const sent: { chat: string; draftId: number; text: string }[] = [];
  const killSwitch = { schemaVersion: 1, isStopped: false, by: 'x', at: AT, stoppedAt };
  await showDraft({
    table: {
      query: async () => ({ items }),
      load: async () => [stoppedAt === undefined ? undefined : killSwitch],
    },
    senders: sendersShowing(async ({ to: chat }, draftId, text) => void sent.push({ chat, draftId, text })),
    secrets: new Map(),
    isInForce: async (version) => version === 'g',
    ...changes,
  })({ stage: 'draft', v: 1, space: 'default', session: 'telegram:77', signalId, attempt: 1, n: 0 });
  return sent;
};
const textOf = async (...of: Parameters<typeof show>): Promise<string | undefined> => (await show(...of))[0]?.text;

describe('showDraft', () => {
  it('shows the newest prefix under one id that is not zero', async () => {
    const more = `${TEXT} And so on.`;
    const second = chunkOf(' And so on.', {
      n: 1,
      chars: more.length,
      hash: actionHash(replyAction(more, signal.reply)),
      sk: 'stream#1#1',
    });
    const [one] = await show([recordOf(), chunkOf()]);
    const [two] = await show([recordOf(), second, chunkOf()]);
    expect([one?.chat, one?.text, two?.text]).toStrictEqual(['77', TEXT, more]);
    expect([one?.draftId, Number.isSafeInteger(one?.draftId), (one?.draftId ?? 0) > 0]).toStrictEqual([
      two?.draftId,
      true,
      true,
    ]);
  });

  it('shows the next answer of a turn in the place of the one before, and no other', async () => {
    const idOf = async (id: string) => {
      const of = buildSignal(id, { ...signal, id, reply: signal.reply });
      return (await show([recordOf(of), chunkOf()], {}, undefined, id))[0]?.draftId;
    };
    const first = await idOf(ID);
    expect([await idOf(`${ID}/1`), await idOf(`${ID}/1/1`), first === (await idOf('tg-42-8'))]).toStrictEqual([
      first,
      first,
      false,
    ]);
  });

  it.each<readonly [string, Parameters<typeof show>]>([
    ['a decision is stored', [[recordOf(), chunkOf(), { sk: 'decision' }]]],
    ['the signal is over', [[recordOf(signal, 'refused'), chunkOf()]]],
    ['there is no record', [[chunkOf()]]],
    ['there is no chunk', [[recordOf()]]],
    ['the text is not what the hash is of', [[recordOf(), chunkOf(TEXT, { text: TEXT.replace('blue', 'mine') })]]],
    [
      'a gate did not pass it',
      [[recordOf(), chunkOf(TEXT, { trace: '[{"gate":"x","verdict":"block","reason":""}]' })]],
    ],
    ['other gates judged it', [[recordOf(), chunkOf()], { isInForce: async (version) => version === 'other' }]],
    ['it was stopped since', [[recordOf(), chunkOf()], {}, AT]],
    ['there is no bot', [[recordOf(), chunkOf()], { senders: new Map() }]],
    [
      'it holds a secret of this function',
      [[recordOf(), chunkOf()], { secrets: new Map([['A', 'stands in the shed']]) }],
    ],
    ['it is for somewhere else', [[recordOf({ ...signal, reply: { target: 'console', to: 'main' } }), chunkOf()]]],
  ])('shows nothing where %s', async (_, of) => {
    expect(await show(...of)).toStrictEqual([]);
  });

  it('shows it where the stop was before it', async () => {
    expect(await textOf([recordOf(), chunkOf()], {}, AT - 1)).toBe(TEXT);
  });

  it('holds back what may become a secret that only this function knows', async () => {
    const secrets = new Map([['A', 'of last year. And more']]);
    expect(await textOf([recordOf(), chunkOf()], { secrets })).toBe(
      'The bike is blue and stands in the shed, as it has since the',
    );
  });

  it('never rejects', async () => {
    const fail = async (): Promise<never> => {
      throw new Error('no');
    };
    await show([recordOf(), chunkOf()], { senders: sendersShowing(fail) });
    await show([recordOf(), chunkOf()], { table: { query: fail, load: fail } });
    await show([{ sk: 'record', schemaVersion: 9 }, chunkOf()]);
  });
});
