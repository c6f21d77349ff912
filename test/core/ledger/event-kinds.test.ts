import { createHash } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type EventFate,
  KINDS_A_DAY_MAX,
  noteEvent,
  releaseEvents,
  silenceSource,
} from '../../../lib/core/ledger/event-kinds.ts';
import { buildRecordItem } from '../../../lib/core/ledger/record.ts';
import type { Signal } from '../../../lib/core/signal/signal.ts';
import { answerNo } from '../../../lib/core/stages/perceive/answer-choice.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { releaseChosen } from '../../../lib/features/events/release-chosen.ts';
import { startDynamo, type TestDynamo } from '../../support/dynamo.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

const NOW = Date.parse('2026-11-24T12:00Z');
const HOUR = 3_600_000;

let spaces = 0;
const openSpace = () => {
  spaces += 1;
  const space = `kinds-${spaces}`;
  const one = (event: string) => ({ space, source: 'hub', event });
  const store = async (event: string, id: string): Promise<void> => {
    const signal: Signal = {
      ...{ schemaVersion: 1, id, type: 'EVENT', source: 'webhook', space, session: 'webhook:hub', root: id, depth: 0 },
      ...{
        receivedAt: NOW,
        sender: { id: 'webhook:hub', isApprover: false },
        reply: { target: 'console', to: 'main' },
      },
      payload: { sensor: 'webhook', source: 'hub', event, body: {}, text: [] },
    };
    await dynamo.table.put(signalKeys.record(space, id), buildRecordItem(signal, 'dropped', NOW));
  };
  /** An event comes; its id is its name unless given. */
  const comes = async (event: string, name = event, at = NOW) => {
    const id = `wh-hub:${name}`;
    await store(event, id);
    return noteEvent(dynamo.table, id, one(event), at);
  };
  const published: string[] = [];
  const release = (kind?: string, withAsked = false) =>
    releaseEvents(
      { table: dynamo.table, now: NOW, publish: async ({ signalId }) => void published.push(signalId) },
      { space, source: 'hub', kind, withAsked },
    );
  const eventsAgain = async () => {
    const items = await dynamo.table.load(published.map((id) => signalKeys.record(space, id)));
    return items.map((item) => JSON.parse(item?.signal).payload.event);
  };
  return { space, one, store, comes, release, eventsAgain, published };
};

describe('noteEvent', () => {
  it('asks about the first kind and lets others wait, with the same answer for a repeat', async () => {
    const { comes } = openSpace();
    for (let n = 0; n < 2; n += 1) {
      expect(await comes('a')).toBe('ask');
      expect(await comes('b')).toBe('waits');
      expect(await comes('a', 'a-2')).toBe('waits');
    }
  });

  it('tells two names apart that had one number in earlier releases', async () => {
    const number = (event: string) => createHash('sha256').update(event).digest().readUInt16BE() % 256;
    expect(number('release.published')).toBe(number('pull_request.closed'));
    const { comes, release } = openSpace();
    expect(await comes('pull_request.closed')).toBe('ask');
    await release('pull_request.closed');
    expect(await comes('release.published')).toBe('ask');
  });

  it('asks about no kind that an earlier release told, and about another of the same number', async () => {
    const { space, store, comes } = openSpace();
    await store('pull_request.closed', 'wh-hub:old');
    const number = createHash('sha256').update('pull_request.closed').digest().readUInt16BE() % 256;
    const key = { pk: `quota#${space}#kinds#hub`, sk: 'all' };
    await dynamo.table.put(key, { schemaVersion: 1, [`kind_${number}`]: 'wh-hub:old' });
    expect(await comes('pull_request.closed')).toBe('known');
    expect(await comes('release.published')).toBe('ask');
  });

  it('asks again a day after a question that nobody answered', async () => {
    const { comes } = openSpace();
    expect(await comes('a')).toBe('ask');
    expect(await comes('b', 'b', NOW + 23 * HOUR)).toBe('waits');
    expect(await comes('b', 'b-2', NOW + 25 * HOUR)).toBe('ask');
    expect(await comes('a', 'a-2', NOW + 26 * HOUR)).toBe('waits');
  });

  it('says once a day that a source makes up names, and asks about them on another day', async () => {
    const { one, comes } = openSpace();
    for (let n = 0; n < KINDS_A_DAY_MAX; n += 1) await noteEvent(dynamo.table, `e-${n}`, one(`e-${n}`), NOW);
    expect(await comes('late')).toBe('many');
    expect(await comes('late')).toBe('many');
    expect(await comes('later')).toBe('known');
    expect(await comes('later', 'later-2', NOW + 24 * HOUR)).toBe('waits');
  });

  it('asks about nothing of a source that is silent', async () => {
    const { space, comes } = openSpace();
    await comes('a');
    await silenceSource(dynamo.table, { space, source: 'hub' });
    expect(await comes('b')).toBe('known');
    expect(await comes('a', 'a-2')).toBe('known');
  });
});

describe('releaseEvents', () => {
  const prepare = async () => {
    const space = openSpace();
    await space.comes('a');
    for (const [event, id] of [
      ['b', 'b-1'],
      ['a', 'a-2'],
      ['b', 'b-2'],
      ['c', 'c-1'],
    ] as const)
      await space.comes(event, id);
    return space;
  };

  it.each([
    ['those of the kind, and the first of another, which asks', 'a', false, ['a', 'b']],
    ['the event that was shown too', 'a', true, ['a', 'a', 'b']],
    ['those of a kind whose question is not open, and no other', 'c', false, ['c']],
    ['all', undefined, false, ['b', 'a', 'b', 'c']],
  ])('lets come again: %s', async (_, kind, withAsked, expected) => {
    const { release, eventsAgain } = await prepare();
    await release(kind, withAsked);
    expect(await eventsAgain()).toStrictEqual(expected);
  });

  it('loses none of those that go on waiting', async () => {
    const { comes, release, eventsAgain } = await prepare();
    await release('a');
    expect(await comes('b', 'b-again')).toBe('ask');
    await release('b');
    expect(await eventsAgain()).toStrictEqual(['a', 'b', 'b', 'c']);
  });

  it('lets none come twice if it is repeated', async () => {
    const { release, published } = await prepare();
    await release();
    await release();
    expect(published.length).toBe(new Set(published).size);
  });
});

describe('an answer', () => {
  const job = { sensor: 'command', name: 'jobs', rest: 'add {"event": "hub/a"}' };
  const made = {
    decision: { actions: [{ action: { tool: 'schedule-job' } }] },
    effects: [{ n: 0, state: 'done' }],
  };

  it.each([
    [
      'no',
      (deps: object) => answerNo(deps as never, { sensor: 'webhook', source: 'hub', event: 'a' } as never, 'nothing'),
    ],
    ['a job', (deps: object) => releaseChosen(deps as never, { signal: { payload: job }, ...made } as never)],
  ])('is noted before the events come again that waited for it: %s', async (_, answer) => {
    const { space, one, comes } = openSpace();
    await comes('a');
    await comes('a', 'a-2');
    const fates: EventFate[] = [];
    const publishPerceive = async (message: { readonly signalId: string }) =>
      void fates.push(await noteEvent(dynamo.table, message.signalId, one('a'), NOW));
    const now = Object.assign(() => NOW, { valueOf: () => NOW });
    await answer({ table: dynamo.table, space, signal: { space }, publishPerceive, now });
    expect(fates).toStrictEqual(['known']);
  });
});
