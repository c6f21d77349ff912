/**
 * Micro-rollback, and what going back can never touch (I14): a signal that fails for good has its
 * own changes of memory taken back, others' stay; approvals, grants, policy, settings and spending
 * are the same after a rollback, an import and a forget as before, and a spent approval is never
 * revived.
 */

import { afterAll, describe, expect, it } from 'vitest';
import { FAILURE_HOOKS } from '../../functions/heartbeat/features.ts';
import { StoredItemError } from '../../lib/core/base/errors.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { loadPolicyVersion } from '../../lib/core/judge/judge.ts';
import { policyKey } from '../../lib/core/judge/policy-setting.ts';
import { LAST_ERASURE } from '../../lib/core/ledger/last-erasure.ts';
import { parseDecision, parseRecord } from '../../lib/core/ledger/ledger.ts';
import type { TreeNode } from '../../lib/core/memory/ingest.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import { buryDead } from '../../lib/core/stages/upkeep/dead-letter.ts';
import { approvalKey, signalKeys } from '../../lib/core/store/keys.ts';
import { savePolicySetting } from '../../lib/features/policy/save-policy.ts';
import { startDynamo } from '../support/dynamo.ts';
import { scanSpace } from '../support/scan.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';
import { buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const idIn = (text: string | undefined) => /[0-9a-f]{32}/.exec(text ?? '')?.[0] ?? '';

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `undo-${spaces}`;
  const simulation = buildSimulation({ table: dynamo.table, space, answer: () => ({ content: 'I see.' }) });
  let n = 0;
  const command = async (line: string) => {
    const [name = '', ...rest] = line.slice(1).split(' ');
    n += 1;
    const before = simulation.sent.length;
    const payload = { sensor: 'command', name, rest: rest.join(' ') } as const;
    await simulation.accept(signalWith(space, `tg-1-${n}`, payload, '7', simulation.now()));
    await simulation.drain();
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  const bury = async (id: string) => {
    const before = simulation.sent.length;
    // As if the last delivery had died after the commit, before anything was settled.
    await dynamo.table.update(signalKeys.record(space, id), { set: { state: 'reasoned' } });
    const [item] = await dynamo.table.load([signalKeys.record(space, id)], { isConsistent: true });
    const publishPerceive = async (message: Parameters<typeof simulation.deliver>[0]) =>
      void simulation.queue.push(message);
    const deps = {
      table: dynamo.table,
      publishPerceive,
      gateSet: GATE_SET,
      hooks: FAILURE_HOOKS,
      now: simulation.now(),
    };
    await buryDead(deps, parseRecord(id, item ?? {}).signal, 'delivered as often as allowed without success');
    await simulation.drain();
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  return { space, simulation, command, bury, memory: buildMemory(dynamo.table, space) };
};

describe('a signal that fails for good', () => {
  it('has what it changed in memory taken back, once, by a judged action, and its person is told', async () => {
    const { command, bury, memory, space } = world();
    const kept = idIn(await command('/remember mine'));
    const lost = idIn(await command('/remember of the failing one'));
    expect(await bury('tg-1-2')).toContain('What tg-1-2 changed in memory is taken back, because it failed.');
    expect(await memory.load(lost)).toBeUndefined();
    expect(await memory.load(kept)).toMatchObject({ state: 'live' });
    const [item] = await dynamo.table.load([signalKeys.effect(space, 'tg-1-2/undo', 0)], { isConsistent: true });
    expect(item).toMatchObject({ state: 'done', actuator: 'tool' });
    const { number } = await memory.head();
    await bury('tg-1-2');
    expect((await memory.head()).number).toBe(number);
  });

  it('has the project that it started taken back', async () => {
    const { command, bury, memory } = world();
    const id = idIn(await command('/project new Garden'));
    expect(await memory.load(id)).toMatchObject({ state: 'live' });
    expect(await bury('tg-1-1')).toContain('What tg-1-1 changed in memory is taken back, because it failed.');
    expect((await memory.load(id))?.state).not.toBe('live');
  });

  it('leaves and names what others changed since', async () => {
    const { command, bury, memory } = world();
    const id = idIn(await command('/remember first words'));
    const by = { signalId: 'tg-1-9', effectId: 'x#0', actor: 'test', now: 1 };
    await memory.edit({ by, edits: () => [{ kind: 'update', id, content: 'better words', origin: 'owner' }] });
    expect(await bury('tg-1-1')).toContain(`Left as they are, because others changed them since: ${id.slice(0, 8)}.`);
    expect(await memory.load(id)).toMatchObject({ content: 'better words' });
  });

  const undoOf = async (space: string) => {
    const id = 'tg-1-1/undo';
    const keys = [signalKeys.decision(space, id), signalKeys.effect(space, id, 0)];
    const [decision, effect] = await dynamo.table.load(keys, { isConsistent: true });
    return { decision: parseDecision(id, decision ?? {}), state: effect?.state };
  };
  const policyOf = (rule: string) => `@id("mine") ${rule}(principal, action == Action::"revert", resource);`;
  it.each([
    { policy: policyOf('forbid'), outcome: 'block', effect: 'refused' },
    { policy: policyOf('@ask("") permit'), outcome: 'ask', effect: 'suspended' },
    { policy: policyOf('permit'), outcome: 'pass', effect: 'done' },
  ])('has its undo judged by the policy of the owner: $policy gives $outcome', async ({ policy, outcome, effect }) => {
    const { command, bury, memory, space } = world();
    const id = idIn(await command('/remember of the failing one'));
    await savePolicySetting(dynamo.table, space, { text: policy, by: 'test', at: 1 });
    await bury('tg-1-1');
    const { decision, state } = await undoOf(space);
    expect([decision.actions[0]?.outcome, state]).toStrictEqual([outcome, effect]);
    expect(decision.policyVersion).toBe(await loadPolicyVersion(dynamo.table, space, GATE_SET));
    expect((await memory.load(id))?.state).toBe(effect === 'done' ? undefined : 'live');
  });

  it('ends although the policy cannot be read, which denies the undo', async () => {
    const { command, bury, space } = world();
    await command('/remember of the failing one');
    await dynamo.table.put(policyKey(space), { schemaVersion: 99 });
    // Act cannot read the policy either, and does nothing.
    await expect(bury('tg-1-1')).rejects.toThrow(StoredItemError);
    const [record] = await dynamo.table.load([signalKeys.record(space, 'tg-1-1')], { isConsistent: true });
    expect(parseRecord('tg-1-1', record ?? {}).state).toBe('dead-lettered');
    const { decision } = await undoOf(space);
    expect(decision.actions[0]?.outcome).toBe('block');
    expect(JSON.stringify(decision.actions[0]?.trace)).toContain('the policy cannot be used: it cannot be read');
  });

  it('is not undone where it changed no memory', async () => {
    const { command, bury } = world();
    await command('/help');
    expect(await bury('tg-1-1')).not.toContain('taken back, because it failed');
  });
});

/** But for the record of when words were last erased, which permits nothing. */
const AUTHORITY = /^(approval|grant|setting|spend|pairing)#/;

describe('authority is not memory (I14)', () => {
  it('is the same to the byte after a rollback, an import and a forget; a spent approval stays spent', async () => {
    const here = buildApprovalWorld(dynamo.table);
    const memory = buildMemory(dynamo.table, here.space);
    await here.send(here.command('remember', 'before all of it'));
    const [note] = (await memory.list({ limit: 1 })).objects;
    await here.say('deploy v1');
    const approvals = async () => (await authority()).filter(({ pk }) => String(pk).startsWith('approval#'));
    const authority = async () =>
      (await scanSpace(dynamo, here.space))
        .filter(({ pk, sk }) => AUTHORITY.test(String(pk)) && sk !== LAST_ERASURE)
        .sort((a, b) => (String(a.pk) < String(b.pk) ? -1 : 1));
    const [pending] = await approvals();
    const approvalId = String(pending?.pk).split('#').at(-1) ?? '';
    await here.send(here.tapOf(approvalId, 'allow-similar'));
    expect(here.calls().length).toBe(1);
    const before = await authority();
    expect(before.length).toBeGreaterThan(1);
    const by = { signalId: 'tg-1-77', effectId: 'y#0', actor: 'test', now: 1 };
    await memory.rollback({ to: 0, by });
    const tree: TreeNode = {
      key: 'approval#x',
      type: 'document',
      attributes: { tags: [] },
      content: 'yes',
      children: [],
    };
    await memory.ingestTree({ by: { ...by, effectId: 'z#0' }, tree, origin: 'outside' });
    await here.send(here.command('forget', note?.id ?? ''));
    expect(await authority()).toStrictEqual(before);
    const [item] = await dynamo.table.load([approvalKey(here.space, approvalId)], { isConsistent: true });
    expect(item).toMatchObject({ state: 'spent' });
    // The "after a rollback" attack: the old card is tapped again.
    await here.send(here.tapOf(approvalId, 'approve'));
    expect(here.calls().length).toBe(1);
    expect(here.texts().at(-1)).toContain('Nothing was changed: this is approved already');
  });
});
