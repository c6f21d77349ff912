/** How many stored decisions a second the gates can be run again on, here and by the command, and what one question to a policy costs. */
import { signalKeys } from '../../lib/aws/keys.ts';
import { GATE_SET } from '../../lib/gates/gate-set.ts';
import type { Evidence } from '../../lib/pipeline/explain/evidence.ts';
import { replayEvidence } from '../../lib/pipeline/explain/replay-evidence.ts';
import { packDecision, packEffect } from '../../lib/pipeline/pack.ts';
import { compilePolicy } from '../../lib/policy/compile-policy.ts';
import { importCedar } from '../../lib/policy/engine.ts';
import { runProgram, startCliWorld } from '../cli/cli-world.ts';
import { buildSignal, putSignal, SPACE } from '../console/stored-fixtures.ts';
import { webhookCall } from '../gates/samples.ts';
import { generateEvidence } from '../support/generated-decisions.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';

const DECISIONS = 2_000;
/** As many as a small space has in a week or two. */
const STORED_DECISIONS = 7_500;
const DECISIONS_PER_SECOND_MIN = 2_000;
const QUESTIONS = 2_000;
const SEED = 11;

const POLICY = `@id("night") forbid(principal, action, resource) when { context.hour < 7 && principal.origin == Origin::"outside" };
@id("tickets") @ask("") permit(principal, action in Action::"any-webhook", resource) when { resource.name == "tickets" };`;

const measurePolicy = async (): Promise<
  readonly { readonly name: string; readonly value: number; readonly unit: string }[]
> => {
  const startedAt = performance.now();
  const policy = compilePolicy(await importCedar(), POLICY);
  const loadMs = performance.now() - startedAt;
  const action = webhookCall({ args: { webhook: 'tickets', body: { title: 'Disk is full' } } });
  const request = { space: 'default', action, origin: 'owner', session: 's', now: 0, isPlainReply: false } as const;
  const timesUs = Array.from({ length: QUESTIONS }, () => {
    const askedAt = performance.now();
    policy.rule(request);
    return (performance.now() - askedAt) * 1000;
  }).sort((left, right) => left - right);
  return [
    { name: 'policy: engine and text, once per process', value: loadMs, unit: 'ms' },
    { name: 'policy: one action, p50', value: quantile(timesUs, 0.5), unit: 'µs' },
  ];
};

/** The program against a console and its table, from its start to its end. */
const measureCommand = async (all: readonly Evidence[]): Promise<number> => {
  const world = await startCliWorld(() => undefined);
  const { table } = world.console.dynamo;
  try {
    for (let n = 0; n < STORED_DECISIONS; n += 1) {
      const { decision, effects, reply } = all[n % all.length] ?? (await generateEvidence(SEED, n));
      const id = `con-${n}`;
      const signal = buildSignal(id, { reply, receivedAt: Date.now() });
      await putSignal(table, { signal, state: 'acted' });
      if (decision !== null) await table.put(signalKeys.decision(SPACE, id), { ...packDecision(decision) });
      for (const effect of effects) await table.put(signalKeys.effect(SPACE, id, effect.n), { ...packEffect(effect) });
    }
    const startedAt = performance.now();
    const { code, out } = await runProgram(['replay', '--since', '1d', '--json'], world.folder);
    const seconds = (performance.now() - startedAt) / 1000;
    if (code !== 0 || JSON.parse(out).decisions !== STORED_DECISIONS) throw new Error(`replay ended with ${code}`);
    return STORED_DECISIONS / seconds;
  } finally {
    await world.stop();
  }
};

export const measureReplay: Measure = async (context) => {
  context.progress('replay');
  const group = 'replay and policy';
  const all = [];
  for (let n = 0; n < DECISIONS; n += 1) all.push(await generateEvidence(SEED, n));
  for (const evidence of all.slice(0, DECISIONS / 4)) replayEvidence(GATE_SET, evidence);
  const startedAt = performance.now();
  for (const evidence of all) replayEvidence(GATE_SET, evidence);
  const perSecond = DECISIONS / ((performance.now() - startedAt) / 1000);
  const goal = { is: '≥', value: DECISIONS_PER_SECOND_MIN } as const;
  return [
    { group, name: 'decisions replayed', value: perSecond, unit: '/s', goal },
    { group, name: 'the same, by the command', value: await measureCommand(all), unit: '/s', goal },
    ...(await measurePolicy()).map((row) => ({ group, ...row })),
  ];
};
