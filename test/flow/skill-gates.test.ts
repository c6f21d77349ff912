/**
 * A gate of a skill in the whole pipeline: it asks above an amount, an approval given before the
 * gate changed counts no more, and what it decided replays from an export alone, also after the
 * skill was changed or removed.
 */
import { hash } from 'node:crypto';
import { afterAll, describe, expect, it } from 'vitest';
import * as z from 'zod/mini';
import { loadSkillGateSets, rebuildSkillGateSets } from '../../infra/features/skills/gate-sets.ts';
import { parseApproval } from '../../lib/core/approvals/approval.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { GateSetContent } from '../../lib/core/gates/engine/gate-set-content.ts';
import { replay } from '../../lib/core/gates/engine/replay.ts';
import { buildTableSource } from '../../lib/core/log/source.ts';
import { JudgedAction } from '../../lib/core/signal/decision.ts';
import { approvalKey, skillKeys } from '../../lib/core/store/keys.ts';
import { replayEvidence } from '../../lib/core/wings/signals/replay-evidence.ts';
import { Evidence } from '../../lib/core/wings/signals/signal-evidence.ts';
import { putSkill, removeSkill } from '../../lib/features/skills/skill-store.ts';
import { buildLogWorld, keyOf, type LogWorld } from '../core/log/log-world.ts';
import { definitionOf, skillText } from '../features/skills/skill-world.ts';
import { startDynamo } from '../support/dynamo.ts';
import { signalWith } from '../support/simulation.ts';
import { callTool, evidenceOf } from './adversity-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const gateAbove = (most: number): string => `function gate(action) {
  const amount = Number(/(\\d+) euros/.exec(action.args?.text ?? '')?.[1] ?? 0);
  return amount > ${most} ? { verdict: 'ask', reason: 'more than ${most} euros' } : { verdict: 'pass' };
}`;

/** The model remembers what it is told to keep. */
const buildWorld = () =>
  buildLogWorld(dynamo, {
    answer: ({ messages }) => {
      const last = messages.at(-1)?.content ?? '';
      const text = last.includes('state: ') ? undefined : /keep (.+)/.exec(last)?.[1];
      return text === undefined ? { content: 'Done.' } : callTool('remember', { text });
    },
  });

let changes = 0;
const source = ({ space }: LogWorld) => {
  changes += 1;
  return { space, by: 'telegram:7', now: 5, signalId: `tg-9-${changes}` };
};
const addGate = (world: LogWorld, code: string) =>
  putSkill(dynamo.table, source(world), {
    definition: definitionOf('guard', { gates: [{ name: 'limit', file: 'limit.js' }] }),
    files: [skillText('guard'), { path: 'limit.js', text: code }],
    trust: 'outside',
  });

const evidence = async (world: LogWorld, id: string) => evidenceOf(dynamo.table, world.space, id);
const statesOf = async (world: LogWorld, id: string) => (await evidence(world, id)).effects.map(({ state }) => state);
const approvalOf = async (world: LogWorld, id: string) => {
  const approvalId = (await evidence(world, id)).effects[0]?.approvalId ?? 'none';
  const [item] = await dynamo.table.load([approvalKey(world.space, approvalId)]);
  return parseApproval(approvalId, item ?? {});
};
let taps = 0;
const approve = async ({ simulation, space }: LogWorld, approvalId: string) => {
  taps += 1;
  const payload = { sensor: 'approval-decision', approvalId, decision: 'approve' } as const;
  await simulation.accept(signalWith(space, `tg-8-${taps}`, payload, '7', simulation.now()));
  await simulation.drain();
};

const linesOf = (lines: readonly string[], type: string): readonly Record<string, unknown>[] =>
  lines.map((line) => JSON.parse(line)).filter((line) => line.type === type);

/** Replays all decisions of an export with nothing but the export. */
const replayExport = async (lines: readonly string[]) => {
  const contents = linesOf(lines, 'gate-set').map(({ content }) => GateSetContent.parse(content));
  const code = new Map(
    linesOf(lines, 'gate-code').map(({ code: text }) => [hash('sha256', String(text)), String(text)]),
  );
  const sets = new Map([[GATE_SET.version, GATE_SET], ...(await rebuildSkillGateSets(contents, code))]);
  return linesOf(lines, 'record')
    .filter(({ kind, content }) => kind === 'decision' && content !== undefined)
    .flatMap(({ id, fixed, content }) => {
      const { gateSet, actions, attempts } = Fixed.parse(fixed);
      const shown = Shown.parse(content);
      const judged = [...attempts.flatMap((one) => one.judged), ...actions];
      const own = [...shown.attempts.flatMap((one) => one.judged), ...shown.actions];
      const set = sets.get(gateSet);
      return judged.flatMap(({ hash: actionHash, outcome, trace }, n) => {
        if (own[n]?.action === undefined) return [];
        const one = JudgedAction.parse({ ...own[n], hash: actionHash, outcome, trace });
        return [[id, set === undefined ? 'unknown' : replay(set, one).difference]];
      });
    });
};

const Judged = z.array(z.object({ hash: z.string(), outcome: z.string(), trace: z.unknown() }));
const Fixed = z.object({ gateSet: z.string(), actions: Judged, attempts: z.array(z.object({ judged: Judged })) });
/** The bytes of an approval card are not given out. */
const Own = z.array(z.object({ action: z.optional(z.unknown()), facts: z.unknown() }));
const Shown = z.object({ actions: Own, attempts: z.array(z.object({ judged: Own })) });

describe('a gate of a skill', () => {
  it('asks above an amount, and lets the rest through', async () => {
    const world = buildWorld();
    await addGate(world, gateAbove(100));
    const small = await world.say('keep the lamp costs 80 euros');
    expect(await statesOf(world, small)).toStrictEqual(['done']);
    const large = await world.say('keep the bike costs 800 euros');
    expect(await statesOf(world, large)).toStrictEqual(['suspended']);
    const asked = (await evidence(world, large)).decision?.actions[0]?.trace.filter(({ verdict }) => verdict === 'ask');
    expect(asked).toStrictEqual([
      { gate: 'skill-guard-limit', verdict: 'ask', reason: 'the skill guard-limit gate asks: "more than 100 euros"' },
    ]);
    await approve(world, (await approvalOf(world, large)).id);
    expect(await statesOf(world, large)).toStrictEqual(['done']);
  });

  it('ends approvals that were asked for, or given, before it changed', async () => {
    const world = buildWorld();
    await addGate(world, gateAbove(100));
    const asked = await world.say('keep the bike costs 800 euros');
    const { id } = await approvalOf(world, asked);
    await addGate(world, gateAbove(500));
    await approve(world, id);
    expect(await statesOf(world, asked)).not.toContain('done');
    const waits = await world.say('keep the car costs 8000 euros');
    await removeSkill(dynamo.table, source(world), 'guard');
    await world.simulation.sweep();
    await world.simulation.drain();
    expect((await approvalOf(world, waits)).state).toBe('expired');
    expect(await statesOf(world, waits)).toStrictEqual(['refused']);
  });

  it('blocks every proposal while its code cannot be read, and says so', async () => {
    const world = buildWorld();
    const code = gateAbove(100);
    await addGate(world, code);
    await dynamo.table.put(skillKeys.file(world.space, hash('sha256', code)), { schemaVersion: 1 });
    const id = await world.say('keep the lamp costs 80 euros');
    const { decision } = await evidence(world, id);
    expect(decision?.outcome).toBe('refuse');
    expect(JSON.stringify((await evidence(world, id)).attempts[0]?.judged[0]?.trace)).toContain(
      'the code of the skill guard-limit gate cannot be read',
    );
  });

  it('replays from an export alone, also after it was changed and removed', async () => {
    const world = buildWorld();
    await addGate(world, gateAbove(100));
    await world.say('keep the lamp costs 80 euros');
    await addGate(world, gateAbove(20));
    await world.say('keep the book costs 30 euros');
    await removeSkill(dynamo.table, source(world), 'guard');
    await world.say('keep the car costs 8000 euros');
    world.simulation.advance(120_000);
    await world.run();
    const { lines, problems } = await world.exportLines();
    expect(problems).toStrictEqual([]);
    expect(linesOf(lines, 'gate-code')).toHaveLength(2);
    const { verify } = world;
    expect(await verify({ key: keyOf(world.space) })).toMatchObject({ status: 'verified', missing: [] });
    const replayed = await replayExport(lines);
    expect(replayed.length).toBeGreaterThanOrEqual(5);
    expect(replayed.filter(([, difference]) => difference !== '')).toStrictEqual([]);
  });

  it('replays by the command from what the stack has stored', async () => {
    const world = buildWorld();
    await addGate(world, gateAbove(100));
    const id = await world.say('keep the bike costs 800 euros');
    await removeSkill(dynamo.table, source(world), 'guard');
    const others = await loadSkillGateSets(buildTableSource(dynamo.table, world.space, world.simulation.now));
    const { decision, attempts = [], effects } = await evidence(world, id);
    const found = Evidence.parse({
      id,
      session: 'telegram:7',
      reply: { target: 'telegram', to: '7' },
      receivedAt: 1,
      attempts,
      decision,
      effects,
      withheld: [],
      isForgotten: false,
    });
    const kinds = (gateSets: typeof others) => replayEvidence(GATE_SET, found, [], gateSets).map(({ kind }) => kind);
    expect(new Set(kinds(others))).toStrictEqual(new Set(['identical']));
    expect(new Set(kinds(new Map()))).toStrictEqual(new Set(['other-version']));
  });
});
