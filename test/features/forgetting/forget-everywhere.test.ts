/**
 * Forgetting everywhere (I10): once a note is forgotten, nothing in the whole table says it any
 * more, however it came in and whoever was shown it; hashes stay, so that the leaves of the log
 * still hold; what no link explains is named; and nothing that permits or spends is touched (I14).
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseDecision, parseEffect } from '../../../lib/core/ledger/ledger.ts';
import { buildDecisionRecord } from '../../../lib/core/log/evidence-records.ts';
import { coversKey } from '../../../lib/core/memory/keys.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import { approvalKey, signalKeys } from '../../../lib/core/store/keys.ts';
import { buildLogWorld, keyOf } from '../../core/log/log-world.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { decisionRecordHash, effectRecordHash } from '../../support/record-hashes.ts';
import { findWords, scanSpace } from '../../support/scan.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SECRET = 'the violet heron nests behind the mill';

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `forgetting-${spaces}`;
  let wish = '';
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: ({ messages }) => {
      if (messages.some(({ role }) => role === 'tool')) return { content: `I know: ${SECRET}.` };
      const explanation = `because the owner spoke of ${SECRET}`;
      const call = (name: string, args: object) => ({
        toolCalls: [{ id: 'call-1', name, argumentsText: JSON.stringify({ ...args, explanation }) }],
      });
      if (wish === 'ask-keep it') return call('remember', { text: SECRET });
      if (wish === 'ask-call it') return call('call-webhook', { webhook: 'nowhere', body: { text: SECRET } });
      if (wish === 'ask-find it') return call('recall', { query: 'violet heron' });
      return { content: wish.startsWith('ask-about') ? 'Behind the old mill the violet bird nests, a heron.' : 'Yes.' };
    },
  });
  let n = 0;
  const send = async (payload: Payload, change: Partial<Signal> = {}) => {
    n += 1;
    const id = `tg-1-${n}`;
    await simulation.accept({ ...signalWith(space, id, payload, '7', simulation.now()), ...change });
    await simulation.drain();
    return id;
  };
  const talk = (text: string) => {
    wish = text;
    return send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] });
  };
  const command = async (line: string) => {
    const [name = '', ...rest] = line.slice(1).split(' ');
    const before = simulation.sent.length;
    await send({ sensor: 'command', name, rest: rest.join(' ') });
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  const scan = () => scanSpace(dynamo, space);
  const holding = (text: string) => findWords(dynamo, space, text);
  const memory = buildMemory(dynamo.table, space);
  const onlyId = async () => (await memory.list({ limit: 5 })).objects[0]?.id ?? '';
  return { space, simulation, send, talk, command, scan, holding, memory, onlyId };
};

const WAYS: Readonly<Record<string, (world: ReturnType<typeof worldOf>) => Promise<unknown>>> = {
  'the model kept it': ({ talk }) => talk('ask-keep it'),
  'a command kept it': ({ command }) => command(`/remember ${SECRET}`),
  'an editor sent it': ({ send }) =>
    send(
      { sensor: 'buffer-update', tree: { origin: 'owner', nodes: [{ level: 1, key: 'k', content: SECRET }] } },
      { source: 'console' },
    ),
};
const worldOf = world;

const SHOWINGS: Readonly<Record<string, (world: ReturnType<typeof worldOf>, id: string) => Promise<unknown>>> = {
  'the model recalled it': ({ talk }) => talk('ask-find it'),
  'a person recalled it': ({ command }) => command('/recall violet heron'),
  'a person read it': ({ command }, id) => command(`/memory ${id}`),
  'a rollback named it': ({ command }) => command('/rollback 0'),
  'somebody asked about other things': ({ talk }) => talk('ask-nothing'),
};

describe('forgetting everywhere', () => {
  it('leaves no word of it in the table, whatever way it came and was shown (property)', async () => {
    const steps = fc.array(fc.constantFrom(...Object.keys(SHOWINGS)), { maxLength: 4 });
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...Object.keys(WAYS)), steps, async (way, shown) => {
        const here = world();
        await WAYS[way]?.(here);
        const id = await here.onlyId();
        expect(await here.holding(SECRET)).not.toStrictEqual([]);
        for (const step of shown) await SHOWINGS[step]?.(here, id);
        expect(await here.command(`/forget ${id}`)).toContain(`Forgotten: ${id}.`);
        expect(await here.holding(SECRET)).toStrictEqual([]);
      }),
      { numRuns: 12 },
    );
  });

  it('keeps every hash, so that leaves and proofs still hold', async () => {
    const here = world();
    await here.talk('ask-keep it');
    await here.talk('ask-find it');
    const id = await here.onlyId();
    const hashes = async () => {
      const items = await here.scan();
      return items.flatMap((item) => {
        const signalId = String(item.pk).split('#').slice(2).join('#');
        const { pk: _pk, sk, ...rest } = item;
        if (sk === 'decision') return [[signalId, decisionRecordHash(parseDecision(signalId, item), [])]];
        return String(sk).startsWith('effect#')
          ? [[`${signalId} ${sk}`, effectRecordHash(signalId, parseEffect(signalId, { pk: _pk, sk, ...rest }))]]
          : [];
      });
    };
    const before = new Map((await hashes()).map(([name = '', hash = '']) => [name, hash]));
    await here.command(`/forget ${id}`);
    const after = new Map((await hashes()).map(([name = '', hash = '']) => [name, hash]));
    expect(before.size).toBeGreaterThan(5);
    const versions = (await here.command(`/audit ${id}`)).split('\n').filter((line) => line.startsWith('version '));
    expect(versions).toStrictEqual([
      expect.stringMatching(/UTC {2}write by .*, forgotten since {2}/),
      expect.stringMatching(/UTC {2}forgotten by /),
    ]);
    for (const [name, hash] of before) expect([name, after.get(name)]).toStrictEqual([name, hash]);
    const [item] = await dynamo.table.load([signalKeys.decision(here.space, 'tg-1-1')], { isConsistent: true });
    const decision = parseDecision('tg-1-1', item ?? {});
    expect(decision.forgottenAt).toBeDefined();
    expect(buildDecisionRecord(decision, [])).not.toHaveProperty('content');
    const [covers] = await dynamo.table.load([coversKey(here.space, id)], { isConsistent: true });
    expect(covers?.covers).toEqual(expect.arrayContaining(['decision tg-1-1', 'effect tg-1-1#0', 'decision tg-1-2']));
  });

  it('is verified in an export of the log, before and after: its tombstone covers what lost its content', async () => {
    const log = buildLogWorld(dynamo);
    const ask = async (n: number, name: string, rest: string) => {
      const command = { sensor: 'command', name, rest } as const;
      await log.simulation.accept(signalWith(log.space, `tg-1-9${n}`, command, '7', log.simulation.now()));
      await log.simulation.drain();
    };
    await ask(1, 'remember', SECRET);
    await log.say('what about the violet heron?');
    await ask(2, 'recall', 'violet heron');
    await log.run();
    expect(await log.verify({ key: keyOf(log.space) })).toMatchObject({ status: 'verified' });
    const id = (await log.memory.list({ limit: 1 })).objects[0]?.id ?? '';
    await ask(3, 'forget', id);
    await log.run();
    const exported = await log.exportLines();
    expect(exported.lines.join('\n')).not.toContain(SECRET);
    expect(await log.verify({ key: keyOf(log.space) })).toMatchObject({
      status: 'verified',
      forgotten: expect.any(Number),
    });
  });

  it('names signals that hold the same words without a recorded link, and leaves them', async () => {
    const here = world();
    await here.command(`/remember ${SECRET}`);
    const id = await here.onlyId();
    await here.talk(`By the way: ${SECRET}`);
    const said = await here.command(`/forget ${id}`);
    expect(said).toContain('they hold the same words, and they were left as they are: tg-1-2');
    expect((await here.holding(SECRET)).every((name) => name.includes('tg-1-2'))).toBe(true);
  });

  it('leaves an answer in other words, which only had the note in its prompt, until a person names it', async () => {
    const here = world();
    await here.command(`/remember ${SECRET}`);
    const id = await here.onlyId();
    const turn = await here.talk('ask-about the violet heron');
    expect(await here.command(`/forget ${id}`)).toContain(`Forgotten: ${id}.`);
    expect(await here.holding('violet bird')).not.toStrictEqual([]);
    await here.command(`/forget ${id} ${turn}`);
    expect(await here.holding('violet bird')).toStrictEqual([]);
  });

  it('leaves no word in attempts of a turn that a gate rejected', async () => {
    const here = world();
    await here.command(`/remember ${SECRET}`);
    const id = await here.onlyId();
    const turn = await here.talk('ask-call it');
    expect((await here.scan()).filter(({ sk }) => String(sk).startsWith('attempt#'))).not.toStrictEqual([]);
    await here.command(`/forget ${id} ${turn}`);
    expect(await here.holding(SECRET)).toStrictEqual([]);
  });

  it('may be repeated, and crash anywhere, and ends the same', async () => {
    for (let k = 1; k < 60; k += 7) {
      const here = world();
      await here.command(`/remember ${SECRET}`);
      await here.command('/recall violet');
      const id = await here.onlyId();
      here.simulation.crashAt(k);
      await here.command(`/forget ${id}`);
      here.simulation.loseQueues();
      await here.simulation.sweep(true);
      await here.simulation.drain();
      expect([k, await here.holding(SECRET)]).toStrictEqual([k, []]);
    }
  });

  it('changes nothing that permits or spends: an approval only loses its words, and then fits nothing (I14)', async () => {
    const here = world();
    await here.command(`/remember ${SECRET}`);
    const id = await here.onlyId();
    await here.command('/rollback 0');
    const partition = `unfinished#${here.space}#approvals`;
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(items[0]?.pk).split('#').at(-1) ?? '';
    const load = async () =>
      (await dynamo.table.load([approvalKey(here.space, approvalId)], { isConsistent: true }))[0];
    const before = await load();
    await here.command(`/forget ${id}`);
    expect({ ...(await load()), action: undefined }).toStrictEqual({
      ...before,
      action: undefined,
      lines: ['[forgotten]'],
    });
    const sent = here.simulation.sent.length;
    await here.send({ sensor: 'approval-decision', approvalId, decision: 'approve' });
    expect(
      here.simulation.sent
        .slice(sent)
        .map(({ text }) => text)
        .join('\n'),
    ).toContain('This was refused: Use rollback.');
    expect(await here.memory.load(id)).toMatchObject({ state: 'forgotten' });
  });

  it('says "[forgotten]" where it is asked about', async () => {
    const here = world();
    await here.talk('ask-keep it');
    await here.command(`/forget ${await here.onlyId()}`);
    const [item] = await dynamo.table.load([signalKeys.record(here.space, 'tg-1-1')], { isConsistent: true });
    expect(String(item?.signal)).toContain('[forgotten]');
    expect(String(item?.signal)).not.toContain('ask-keep');
  });
});
