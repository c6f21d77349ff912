/**
 * Stored pieces of an unfinished answer have passed the gates, however the answer is split.
 */

import { setImmediate } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { ConditionError } from '../../../../lib/core/base/errors.ts';
import { GATE_SET } from '../../../../lib/core/gates/engine/gate-set.ts';
import type { FactSources } from '../../../../lib/core/judge/fact-sources.ts';
import { judgeAction } from '../../../../lib/core/judge/judge.ts';
import { readDraft, type ShownChunk } from '../../../../lib/core/signal/draft.ts';
import type { DraftMessage } from '../../../../lib/core/signal/messages.ts';
import type { Signal } from '../../../../lib/core/signal/signal.ts';
import {
  DRAFT_CHUNKS_MAX,
  DRAFT_FIRST_CHARS_MIN,
  DRAFT_INTERVAL_MS,
  DRAFT_SHOW_INTERVAL_MS,
  type DraftSubject,
  mayStream,
  openDraft,
} from '../../../../lib/core/stages/reason/draft.ts';
import { fc } from '../../../support/fast-check.ts';

const AT = 1_790_000_000_000;
const SECRET = 'a-7Q9xkeep-me-inside';
const signalOf = (changes: Partial<Signal> = {}): Signal => ({
  schemaVersion: 1,
  id: 'con-1',
  type: 'REQUEST',
  source: 'console',
  space: 'default',
  session: 'console:main',
  root: 'con-1',
  depth: 0,
  receivedAt: AT,
  sender: { id: 'console', isApprover: false },
  reply: { target: 'console', to: 'main' },
  payload: { sensor: 'chat-message', text: [{ text: 'Tell me', origin: 'owner' }] },
  ...changes,
});

const subjectOf = (changes: Partial<DraftSubject> = {}): DraftSubject => {
  const signal = changes.signal ?? signalOf();
  const secrets = new Map([['TEST_KEY', SECRET]]);
  const sources: FactSources = {
    stage: 'reason',
    now: AT,
    space: 'default',
    reply: signal.reply,
    origin: 'owner',
    setup: { secrets },
    state: { policyVersion: 'p', chatMemory: 'open' },
    turn: { askedBy: 'approver' },
  };
  return {
    signal,
    rootSensor: 'chat-message',
    attempt: 1,
    origin: 'owner',
    policyText: '',
    secrets,
    privacyTags: [],
    gateSetVersion: GATE_SET.version,
    judge: (action) => judgeAction(GATE_SET, action, sources),
    ...changes,
  };
};

const open = (subject = subjectOf()) => {
  const items = new Map<string, object>();
  const published: DraftMessage[] = [];
  let now = AT;
  const draft = openDraft(
    {
      table: {
        put: async (key, item) => {
          if (items.has(key.sk)) throw new ConditionError('new', undefined);
          items.set(key.sk, item);
        },
      },
      publish: async (message) => void published.push(message),
      now: () => now,
    },
    subject,
  );
  if (draft === undefined) throw new Error('it is not streamed');
  return {
    items,
    published,
    draft,
    pass: (ms: number) => {
      now += ms;
    },
    /** A text piece by piece, with time between. */
    say: async (pieces: readonly string[], stepMs = DRAFT_INTERVAL_MS): Promise<void> => {
      let text = '';
      for (const piece of pieces) {
        text += piece;
        now += stepMs;
        draft.hear({ text, hasCalls: false });
        await setImmediate();
      }
      await draft.end();
    },
    chunks: (): readonly ShownChunk[] => readDraft([...items.values()], subject.signal.reply),
    text: (): string => readDraft([...items.values()], subject.signal.reply).at(-1)?.prefix ?? '',
  };
};

const LONG =
  'The bike is blue and stands in the shed behind the house, where it has been since the spring of last year. ';
const words = (text: string): readonly string[] => text.split(/(?<= )/);

describe('openDraft', () => {
  it('looks no more at a text the gates have blocked, however much is still to come', async () => {
    let judged = 0;
    const subject = subjectOf();
    const { say, items } = open({
      ...subject,
      judge: (action) => {
        judged += 1;
        return subject.judge(action);
      },
    });
    await say([`The word is ${SECRET}, ${LONG}`, ...words(LONG.repeat(3))]);
    expect([judged, [...items.keys()]]).toStrictEqual([1, []]);
  });

  it('stores what may be shown in chunks that join to a prefix, each with its hash and the whole trace', async () => {
    const { say, chunks, items, text } = open();
    await say(words(LONG.repeat(3)));
    expect(LONG.repeat(3).startsWith(text())).toBe(true);
    expect(text().length).toBeGreaterThan(LONG.length * 3 - 40);
    expect(chunks().map(({ n }) => n)).toStrictEqual([...items.keys()].map((_, n) => n));
    expect(chunks()[0]?.chars).toBeGreaterThanOrEqual(DRAFT_FIRST_CHARS_MIN);
    for (const { trace, gateSet } of chunks())
      expect([trace.length, gateSet]).toStrictEqual([GATE_SET.gates.length, GATE_SET.version]);
    expect(Object.keys(items.get('stream#1#0') ?? {}).sort()).toStrictEqual(
      ['at', 'attempt', 'chars', 'expiresAt', 'gateSet', 'hash', 'n', 'schemaVersion', 'text', 'trace'].sort(),
    );
  });

  it('stores nothing of an answer that comes at once', async () => {
    const { say, items } = open();
    await say(words(LONG.repeat(3)), 2);
    expect(items.size).toBe(0);
  });

  it('stores nothing of a short answer', async () => {
    const { say, items } = open();
    await say(words('Your bike is blue, and I am glad that it is.'));
    expect(items.size).toBe(0);
  });

  it('never stores a character of a secret, of whatever split', async () => {
    const secret = fc.constantFrom(
      SECRET,
      [...SECRET].join(' '),
      Buffer.from(SECRET).toString('base64'),
      `sk-${'proj-'}a7Q9xa7Q9xa7Q9xa7Q9xa7Q9x`,
      `-----BEGIN PRIVATE ${'KEY'}-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\n-----END PRIVATE ${'KEY'}-----`,
      `password:   "${'aB3dE6gH9jK2mN5pQ8sT1vW4'}"`,
    );
    await fc.assert(
      fc.asyncProperty(
        secret,
        fc.nat(LONG.length),
        fc.array(fc.nat(400), { maxLength: 40 }),
        async (value, at, cuts) => {
          const place = LONG.lastIndexOf(' ', at) + 1;
          const whole = `${LONG}${LONG.slice(0, place)}${value} ${LONG}`;
          const places = [0, ...cuts.sort((a, b) => a - b), whole.length];
          const { say, text } = open();
          await say(places.slice(1).map((to, index) => whole.slice(places[index], to)));
          expect(text().length).toBeLessThanOrEqual(LONG.length + place);
          expect(whole.startsWith(text())).toBe(true);
        },
      ),
      { numRuns: 150 },
    );
  });

  it('stores nothing more once a tool is called, and once the text is not what was shown', async () => {
    const called = open();
    called.draft.hear({ text: LONG, hasCalls: true });
    await setImmediate();
    called.pass(DRAFT_INTERVAL_MS);
    called.draft.hear({ text: LONG.repeat(2), hasCalls: false });
    await called.draft.end();
    expect(called.items.size).toBe(0);
    const changed = open();
    changed.draft.hear({ text: LONG.slice(0, 4), hasCalls: false });
    changed.pass(DRAFT_INTERVAL_MS);
    changed.draft.hear({ text: LONG, hasCalls: false });
    await setImmediate();
    for (const text of ['Another provider says something else. ', LONG.repeat(3)]) {
      changed.pass(DRAFT_INTERVAL_MS);
      changed.draft.hear({ text, hasCalls: false });
      await setImmediate();
    }
    await changed.draft.end();
    expect(changed.items.size).toBe(1);
  });

  it('is bounded in number and rate, and in what it asks to be shown', async () => {
    const { say, items } = open();
    await say(words(LONG.repeat(100)), 1);
    expect(items.size).toBeLessThanOrEqual(1 + (words(LONG.repeat(100)).length + 1) / DRAFT_INTERVAL_MS);
    const many = open();
    await many.say(words(LONG.repeat(100)));
    expect(many.items.size).toBe(DRAFT_CHUNKS_MAX);
    const chat = open(subjectOf({ signal: signalOf({ reply: { target: 'telegram', to: '77' } }) }));
    await chat.say(words(LONG.repeat(4)));
    const times = chat
      .chunks()
      .filter(({ n }) => chat.published.some((message) => message.n === n))
      .map(({ at }) => at);
    expect(times.length).toBeGreaterThan(2);
    for (const [index, at] of times.slice(1).entries())
      expect(at - (times[index] ?? 0)).toBeGreaterThanOrEqual(DRAFT_SHOW_INTERVAL_MS);
  });

  it('ends, and says nothing, where a chunk is there already or the store does not answer', async () => {
    const { say, items } = open();
    items.set('stream#1#0', {});
    await say(words(LONG.repeat(3)));
    expect(items.size).toBe(1);
  });
});

describe('mayStream', () => {
  const webhook = signalOf({ payload: { sensor: 'webhook', source: 's', event: 'e', body: {}, text: [] } });
  const resultsOf = (sensor: 'tool-output' | 'tool-error', chat?: string): Signal =>
    signalOf({
      id: 'con-1/1',
      parent: 'con-1',
      depth: 1,
      payload: { sensor, results: [] },
      ...(chat === undefined ? {} : { reply: { target: 'telegram', to: chat } }),
    });
  it.each<readonly [string, Partial<DraftSubject>, boolean]>([
    ["a person's message at the console", {}, true],
    ['a private chat', { signal: signalOf({ reply: { target: 'telegram', to: '77' } }) }, true],
    ['a group', { signal: signalOf({ reply: { target: 'telegram', to: '-1007' } }) }, false],
    ['nobody to show it to', { signal: signalOf({ reply: { target: 'system', to: '' } }) }, false],
    ['outside text in the prompt', { origin: 'outside' }, false],
    ["the agent's own notes in it", { origin: 'agent' }, true],
    ['a second attempt', { attempt: 2 }, false],
    [
      'a policy about tools',
      { policyText: '@ask("") permit (principal, action == Action::"forget", resource);' },
      true,
    ],
    [
      'a policy that reads texts',
      { policyText: 'forbid (principal, action, resource) when { context.text like "*x*" };' },
      false,
    ],
    ['a webhook', { signal: webhook, rootSensor: 'webhook' }, false],
    ['what its tools gave', { signal: resultsOf('tool-output') }, true],
    ['what its tools gave to a chat', { signal: resultsOf('tool-output', '77'), rootSensor: 'chat-message' }, true],
    ['what its tools gave to a group', { signal: resultsOf('tool-output', '-77'), rootSensor: 'chat-message' }, false],
    ['tools that failed', { signal: resultsOf('tool-error') }, true],
    ['what its tools gave from outside', { signal: resultsOf('tool-output'), origin: 'outside' }, false],
    ['a second attempt after tools', { signal: resultsOf('tool-output'), attempt: 2 }, false],
    ['what the tools of a webhook gave', { signal: resultsOf('tool-output'), rootSensor: 'webhook' }, false],
    ['results that began a turn', { signal: resultsOf('tool-output'), rootSensor: 'tool-output' }, false],
    [
      'a fault of its turn',
      { signal: signalOf({ payload: { sensor: 'loop-error', stage: 'act', message: 'x' } }) },
      false,
    ],
  ])('of %s is decided', (_, changes, may) => {
    expect(mayStream(subjectOf(changes))).toBe(may);
  });
});

describe('readDraft', () => {
  const stored = async (): Promise<readonly Record<string, unknown>[]> => {
    const { say, items } = open();
    await say(words(LONG.repeat(3)));
    return [...items.values()].map((item) => ({ ...item }));
  };
  const lengthOf = (items: readonly unknown[]): number => readDraft(items, signalOf().reply).length;

  it('shows chunks in any order, and none from where something was changed, left out or added', async () => {
    const items = await stored();
    const all = items.length;
    expect(all).toBeGreaterThan(2);
    const with1 = (changes: object) => items.map((item, n) => (n === 1 ? { ...item, ...changes } : item));
    expect(lengthOf([...items].reverse())).toBe(all);
    expect(lengthOf(with1({ text: 'Call me at' }))).toBe(1);
    expect(lengthOf(with1({ hash: 'a'.repeat(64) }))).toBe(1);
    expect(lengthOf(with1({ chars: 1 }))).toBe(1);
    expect(lengthOf(with1({ trace: '[]' }))).toBe(1);
    expect(lengthOf(with1({ trace: '[{"gate":"privacy","verdict":"ask","reason":""}]' }))).toBe(1);
    expect(lengthOf(with1({ schemaVersion: 2 }))).toBe(1);
    expect(lengthOf(items.filter((_, n) => n !== 0))).toBe(0);
    expect(readDraft(items, { target: 'telegram', to: '77' })).toStrictEqual([]);
    expect(lengthOf([])).toBe(0);
  });
});
