/**
 * The stream of an answer at the console, on a real table: what is shown of stored chunks, for how
 * long it waits, and how it ends.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  STREAM_LOOK_MS,
  STREAM_WAIT_MS_MAX,
  STREAMS_HELD_MAX,
  streamSignal,
} from '../../../../lib/core/edge/console/stream.ts';
import { STREAM_REQUESTS_HELD_MAX } from '../../../../lib/core/edge/limits.ts';
import { killSwitchKey } from '../../../../lib/core/ledger/kill-switch.ts';
import { actionHash, replyAction } from '../../../../lib/core/signal/action.ts';
import { settingKey, signalKeys } from '../../../../lib/core/store/keys.ts';
import { startConsole, type TestConsole } from './console-server.ts';
import {
  buildDecision,
  buildEffect,
  buildSignal,
  judge,
  putSignal,
  reply,
  SPACE,
  toolCall,
} from './stored-fixtures.ts';

const AT = 1_700_000_000_500;
let world: TestConsole;
beforeAll(async () => {
  world = await startConsole();
});
afterAll(() => world?.stop());

const PIECES = ['The bike is', ' blue and stands', ' in the shed'];
const chunkOf = (n: number, changes: object = {}) => {
  const prefix = PIECES.slice(0, n + 1).join('');
  return {
    schemaVersion: 1,
    attempt: 1,
    n,
    text: PIECES[n] ?? '',
    chars: prefix.length,
    hash: actionHash(replyAction(prefix, { target: 'console', to: 'main' })),
    trace: JSON.stringify(['kill-switch', 'permissions']),
    gateSet: 'g',
    at: AT,
    expiresAt: 1_700_003_600,
    ...changes,
  };
};
const put = (id: string, n: number, changes: object = {}): Promise<void> =>
  world.deps.table.put(signalKeys.draft(SPACE, id, 1, n), chunkOf(n, changes));

/**
 * One answer. @param onWait what happens meanwhile, by the number of the look; @param laterMs when
 * it is asked for;
 * @param loadMs how long the table takes for an item
 */
const read = async (
  id: string,
  lastEventId = '',
  onWait: (look: number) => unknown = () => undefined,
  laterMs = 0,
  loadMs = 0,
) => {
  let now = AT + 1_000 + laterMs;
  let looks = 0;
  let queries = 0;
  const { table } = world.deps;
  const { body, headers, statusCode } = await streamSignal(
    {
      ...world.deps,
      table: {
        ...table,
        query: (...of) => {
          queries += 1;
          return table.query(...of);
        },
        load: (...of) => {
          now += loadMs;
          return table.load(...of);
        },
      },
      now: () => now,
      wait: async (ms) => {
        now += ms;
        looks += 1;
        await onWait(looks);
      },
    },
    {
      params: [id],
      caller: { kind: 'approver' },
      request: {
        method: 'GET',
        path: '',
        query: new URLSearchParams(),
        headers: { 'last-event-id': lastEventId },
        body: new Uint8Array(),
      },
    },
  );
  expect([statusCode, headers['content-type'], headers['cache-control']]).toStrictEqual([
    200,
    'text/event-stream; charset=utf-8',
    'no-store',
  ]);
  return { body, looks, queries };
};

describe('streamSignal', () => {
  it('tells what is there as events, and goes on after the last one', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-all'), state: 'perceived' });
    await put('con-all', 0);
    await put('con-all', 1);
    expect((await read('con-all')).body).toBe(
      [
        'retry: 100\n\n',
        'id: 1.0\nevent: text\ndata: {"type":"text","text":"The bike is","chars":11}\n\n',
        'id: 1.1\nevent: text\ndata: {"type":"text","text":" blue and stands","chars":27}\n\n',
      ].join(''),
    );
    expect((await read('con-all', '1.0')).body).toMatch(/^retry: 100\n\nid: 1\.1\nevent: text\n[^\n]+\n\n$/);
    expect((await read('con-all', 'nonsense')).body).toContain('id: 1.0');
  });

  it('waits for what comes next, and for no longer than it may', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-wait'), state: 'perceived' });
    await put('con-wait', 0);
    const { body, looks } = await read('con-wait', '1.0', (look) => (look === 3 ? put('con-wait', 1) : undefined));
    expect([body.includes('id: 1.1'), looks]).toStrictEqual([true, 3]);
    const { queries: _, ...empty } = await read('con-wait', '1.1');
    expect(empty).toStrictEqual({ body: 'retry: 100\n\n', looks: Math.ceil(STREAM_WAIT_MS_MAX / STREAM_LOOK_MS) });
  });

  it.each([
    ['keeps the newest, and lets older ones give way with a last event', 2 * STREAMS_HELD_MAX, 0],
    ['gives way at once while too many are held', STREAM_REQUESTS_HELD_MAX + 20, 20],
  ])('%s', async (_name, many, atOnce) => {
    const id = `con-many-${many}`;
    await putSignal(world.deps.table, { signal: buildSignal(id), state: 'perceived' });
    // Begun one after the other, and then all looking on together: nobody looks before everybody
    // has begun.
    const begun = Promise.withResolvers<void>();
    const streams: ReturnType<typeof read>[] = [];
    for (let n = 0; n < many; n += 1) {
      const held = Promise.withResolvers<void>();
      const waitForAll = (): Promise<void> => {
        held.resolve();
        return begun.promise;
      };
      const stream = read(id, '', waitForAll, n);
      streams.push(stream);
      await Promise.race([held.promise, stream]);
    }
    begun.resolve();
    const ends = (await Promise.all(streams)).map(({ body, looks }) => [body.includes('event: gave-way'), looks > 0]);
    const held = many - atOnce;
    expect(ends).toStrictEqual([
      ...Array(held - STREAMS_HELD_MAX).fill([true, true]),
      ...Array(STREAMS_HELD_MAX).fill([false, true]),
      ...Array(atOnce).fill([true, false]),
    ]);
    expect((await read(id)).body).toBe('retry: 100\n\n');
    const [item = {}] = await world.deps.table.load([settingKey(SPACE, 'streams')]);
    expect(Object.keys(item).filter((name) => name.startsWith('held'))).toStrictEqual([]);
  });

  it('does not give way when its wait ends while it looks whether it keeps its place', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-late'), state: 'perceived' });
    // Reading takes so long that one look begins before the end and is answered after it.
    const { body } = await read('con-late', '', undefined, 0, 1_000);
    expect(body).toBe('retry: 100\n\n');
  });

  it('counts a stream that a crash left behind until its time is over', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-left'), state: 'perceived' });
    const left = Object.fromEntries(
      Array.from({ length: STREAM_REQUESTS_HELD_MAX }, (_, n) => [`held${n}`, AT + 2_000]),
    );
    await world.deps.table.put(settingKey(SPACE, 'streams'), { schemaVersion: 1, ...left });
    expect((await read('con-left')).body).toBe(
      'retry: 15000\n\nevent: gave-way\ndata: {"type":"gave-way","message":"newer streams took the place of this one; GET the signal itself instead"}\n\n',
    );
    expect((await read('con-left', '', undefined, 2_000)).body).toBe('retry: 100\n\n');
  });

  it('shows nothing of a chunk that was changed, nor of those after it', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-forged'), state: 'perceived' });
    await put('con-forged', 0);
    await put('con-forged', 1, { text: ' mine, call 0123' });
    await put('con-forged', 2);
    const { body } = await read('con-forged');
    expect([body.includes('The bike is'), body.includes('mine'), body.includes('shed')]).toStrictEqual([
      true,
      false,
      false,
    ]);
    expect((await read('con-forged', '1.0')).body).toBe('retry: 100\n\n');
  });

  it('shows nothing that was released before a stop, also when it was resumed since', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-stop'), state: 'perceived' });
    await put('con-stop', 0);
    const item = { schemaVersion: 1, isStopped: true, by: 'console', at: AT, stoppedAt: AT };
    for (const isStopped of [true, false]) {
      await world.deps.table.put(killSwitchKey(SPACE), { ...item, isStopped });
      expect((await read('con-stop')).body).toBe('retry: 100\n\n');
    }
    await world.deps.table.put(killSwitchKey(SPACE), { ...item, isStopped: false, stoppedAt: AT - 1 });
    expect((await read('con-stop')).body).toContain('id: 1.0');
  });

  it('ends with the state and the replies, and shows no draft once something is decided', async () => {
    const said = judge(reply('The bike is blue.'));
    await putSignal(world.deps.table, {
      signal: buildSignal('con-decided'),
      state: 'perceived',
      decision: buildDecision('con-decided', [said]),
    });
    await put('con-decided', 0);
    expect((await read('con-decided')).body).toBe('retry: 100\n\n');
    await putSignal(world.deps.table, {
      signal: buildSignal('con-over'),
      state: 'acted',
      decision: buildDecision('con-over', [said]),
      effects: [buildEffect(0, said, { settledAt: AT })],
    });
    await put('con-over', 0);
    expect((await read('con-over')).body).toBe(
      'retry: 100\n\nevent: end\ndata: {"type":"end","state":"acted","turn":"ended","replies":["The bike is blue."]}\n\n',
    );
  });

  it('ends for a signal that nothing came of', async () => {
    await putSignal(world.deps.table, { signal: buildSignal('con-dead'), state: 'dead-lettered' });
    expect((await read('con-dead')).body).toContain('"state":"dead-lettered"');
  });

  describe('of a turn that called tools', () => {
    const tools = judge(toolCall('list-memory'));
    const said = judge(reply('Let me look.'));
    const results = { sensor: 'tool-output' as const, results: [] };
    /** Decided and done, with what it caused. */
    const putDone = (id: string, children: readonly string[], effects = [said, tools]): Promise<void> =>
      putSignal(world.deps.table, {
        signal: buildSignal(id),
        state: 'acted',
        ...(children.length === 0 ? {} : { children }),
        decision: buildDecision(id, effects),
        effects: effects.map((judged, n) => buildEffect(n, judged)),
      });
    const putChild = (id: string): Promise<void> =>
      putSignal(world.deps.table, { signal: buildSignal(id, { payload: results }), state: 'perceived' });

    it('goes on with the next answer, says so with the replies so far, and ends with the last', async () => {
      await putDone('con-turn', ['con-turn/1']);
      await putChild('con-turn/1');
      await put('con-turn', 0);
      await put('con-turn/1', 0);
      await put('con-turn/1', 1);
      const next = 'event: next\ndata: {"type":"next","replies":["Let me look."]}\n\n';
      const first = 'id: 1.1.0\nevent: text\ndata: {"type":"text","text":"The bike is","chars":11}\n\n';
      const second = 'id: 1.1.1\nevent: text\ndata: {"type":"text","text":" blue and stands","chars":27}\n\n';
      for (const last of ['', '1.0', '1/1.1.5'])
        expect((await read('con-turn', last)).body).toBe(`retry: 100\n\n${next}${first}${second}`);
      expect((await read('con-turn', '1.1.0')).body).toBe(`retry: 100\n\n${second}`);
      expect((await read('con-turn/1', '1.0')).body).toBe(`retry: 100\n\n${second.replace('1.1.1', '1.1')}`);
      await putDone('con-turn/1', [], [judge(reply('The bike is blue.'))]);
      for (const last of ['', '1.0', '1.1.1'])
        expect((await read('con-turn', last)).body).toContain(
          '"turn":"ended","replies":["Let me look.","The bike is blue."]',
        );
      expect((await read('con-turn/1')).body).toContain('"turn":"ended","replies":["The bike is blue."]');
    });

    it('waits for what tools do, and for what comes after an approval, on the way to it', async () => {
      await putSignal(world.deps.table, {
        signal: buildSignal('con-slow'),
        state: 'perceived',
        decision: buildDecision('con-slow', [tools]),
      });
      const { body, looks } = await read('con-slow', '1.0', async (look) => {
        if (look === 2) await putChild('con-slow/r0');
        if (look === 3) await putDone('con-slow', ['con-slow/r0'], [tools]);
        if (look === 4) await put('con-slow/r0', 0);
      });
      expect([looks, body]).toStrictEqual([
        4,
        'retry: 100\n\nevent: next\ndata: {"type":"next","replies":[]}\n\nid: r0.1.0\nevent: text\ndata: {"type":"text","text":"The bike is","chars":11}\n\n',
      ]);
    });

    it('reads what is over once, and the answer that is being written alone', async () => {
      await putDone('con-deep', ['con-deep/1']);
      await putDone('con-deep/1', ['con-deep/1/1']);
      await putChild('con-deep/1/1');
      const waited = await read('con-deep');
      expect(waited.queries).toBe(2 + waited.looks + 1);
      await put('con-deep/1/1', 0);
      const followed = await read('con-deep', '1/1.1.0');
      expect(followed.queries).toBe(followed.looks + 1);
      await putSignal(world.deps.table, {
        signal: buildSignal('con-decided-only'),
        state: 'perceived',
        decision: buildDecision('con-decided-only', [said]),
      });
      const decided = await read('con-decided-only', '1.0');
      expect(decided.queries).toBe(decided.looks + 1);
    });

    it('shows nothing of the next answer that was changed, or released before a stop', async () => {
      await putDone('con-bad', ['con-bad/1']);
      await putChild('con-bad/1');
      await put('con-bad/1', 0, { text: 'Call 0123' });
      expect((await read('con-bad')).body).toBe('retry: 100\n\n');
      await put('con-bad/1', 0);
      const item = { schemaVersion: 1, isStopped: false, by: 'console', at: AT };
      await world.deps.table.put(killSwitchKey(SPACE), { ...item, stoppedAt: AT });
      expect((await read('con-bad')).body).toBe('retry: 100\n\n');
      await world.deps.table.put(killSwitchKey(SPACE), { ...item, stoppedAt: AT - 1 });
      expect((await read('con-bad')).body).toContain('event: next');
    });

    it('begins anew where the reader names an answer that is not there', async () => {
      await putSignal(world.deps.table, { signal: buildSignal('con-new'), state: 'perceived' });
      await put('con-new', 0);
      for (const last of ['1.1.0', 'r0/9/9.1.0', `${'1/'.repeat(40)}1.1.0`, '../x.1.0'])
        expect((await read('con-new', last)).body).toMatch(/^retry: 100\n\nid: 1\.0\n/);
    });
  });

  it.each(['con-nobody', 'what/ever'])('knows nothing of %s', async (id) => {
    await expect(read(id)).rejects.toMatchObject({ statusCode: 404 });
  });
});
