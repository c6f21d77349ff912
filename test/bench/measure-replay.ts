/** How many stored decisions a second the gates can be run again on, and what one question to a policy costs. */
import { GATE_SET } from '../../lib/gates/gate-set.ts';
import { replayEvidence } from '../../lib/pipeline/explain/replay-evidence.ts';
import { compilePolicy } from '../../lib/policy/compile-policy.ts';
import { importCedar } from '../../lib/policy/engine.ts';
import { webhookCall } from '../gates/samples.ts';
import { generateEvidence } from '../support/generated-decisions.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';

const DECISIONS = 2_000;
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

export const measureReplay: Measure = async (context) => {
  context.progress('replay');
  const group = 'replay and policy';
  const all = [];
  for (let n = 0; n < DECISIONS; n += 1) all.push(await generateEvidence(SEED, n));
  for (const evidence of all.slice(0, DECISIONS / 4)) replayEvidence(GATE_SET, evidence);
  const startedAt = performance.now();
  for (const evidence of all) replayEvidence(GATE_SET, evidence);
  const perSecond = DECISIONS / ((performance.now() - startedAt) / 1000);
  return [
    {
      group,
      name: 'decisions replayed',
      value: perSecond,
      unit: '/s',
      goal: { is: '≥', value: DECISIONS_PER_SECOND_MIN },
    },
    ...(await measurePolicy()).map((row) => ({ group, ...row })),
  ];
};
