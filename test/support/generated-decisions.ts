/**
 * Decisions made by the real gates from a seed: proposals with texts and calls, honest and not,
 * under facts of every kind, with effects of the last mile; packed as the store keeps them and read
 * back as the console gives them out. The same seed and number always give the same decision. `node
 * test/support/generated-decisions.ts --runs 1000000 --seed 7` replays so many and exits 1 at a
 * difference.
 */
import { parseArgs } from 'node:util';
import type { JsonObject } from '../../lib/core/base/json.ts';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { type FullVerification, verifyFully } from '../../lib/core/gates/engine/verify.ts';
import { buildActions } from '../../lib/core/judge/build-actions.ts';
import { buildPolicyVersion } from '../../lib/core/judge/judge.ts';
import { packDecision, packEffect } from '../../lib/core/ledger/ledger.ts';
import type { Attempt, Decision, Effect, JudgedAction, Proposal } from '../../lib/core/signal/decision.ts';
import type { Facts } from '../../lib/core/signal/facts.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import { Evidence } from '../../lib/core/verbs/signals/signal-evidence.ts';
import { approvedFacts, factsFor, NOW } from '../core/gates/samples.ts';

/** 32-bit numbers in [0, 1) from a seed (mulberry32). */
export const randomFrom = (seed: number): (() => number) => {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
};

const POLICY_VERSION = buildPolicyVersion(GATE_SET);
const REPLY = { target: 'console', to: 'main' } as const;
const URLS = { tickets: 'https://hooks.example.com/tickets' };

const WORDS = [
  'The backup ran at four.',
  'See https://wiki.example.com/run?id=8841 for more.',
  'sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCD',
  'AKIAIOSFODNN7EXQMPLA',
  '\u0433\ufeff\u0430mma \ufb01le \u202e txt',
  '/home/me/.ssh/id_rsa',
  'ünïcode 😀',
  '{"a": [1, 2, {"b": null}]}',
  'x'.repeat(300),
  '',
];

type Random = () => number;
const pick = <T>(random: Random, list: readonly [T, ...T[]]): T => list[Math.floor(random() * list.length)] ?? list[0];
const isLikely = (random: Random, share: number): boolean => random() < share;
const words = (random: Random): string =>
  Array.from({ length: 1 + Math.floor(random() * 3) }, () => WORDS[Math.floor(random() * WORDS.length)]).join(' ');

const proposalOf = (random: Random): Proposal => ({
  ...(isLikely(random, 0.7) ? { text: words(random) } : {}),
  calls: Array.from({ length: Math.floor(random() * 3) }, (_, n) => ({
    callId: `c${n}`,
    tool: pick(random, ['remember', 'recall', 'call-webhook', 'forget', 'Call_Webhook ', 'no-such-tool', '']),
    args: pick<JsonObject>(random, [
      { text: words(random) },
      { webhook: 'tickets', body: { title: words(random), count: Math.floor(random() * 9) } },
      { webhook: 'elsewhere', body: {} },
      { query: words(random), tags: [words(random)] },
    ]),
    explanation: pick(random, ['The owner asked for exactly this.', 'ok', '']),
  })),
});

const changesOf = (random: Random): Partial<Facts> => ({
  policyVersion: POLICY_VERSION,
  now: NOW + Math.floor(random() * 1000),
  isStopped: isLikely(random, 0.05),
  isKnown: !isLikely(random, 0.05),
  tier: pick(random, ['allow', 'allow', 'ask', 'deny']),
  policyReason: pick(random, ['', '', 'policy: rule 1 (line 1)']),
  isPlainReply: isLikely(random, 0.6),
  argumentProblems: isLikely(random, 0.1) ? ['text is missing'] : [],
  secrets: isLikely(random, 0.05) ? [{ name: 'OPENAI_API_KEY', field: 'text' }] : [],
  ...(isLikely(random, 0.05) ? { codeProblem: { language: 'yaml', line: 3, problem: 'it is not YAML' } } : {}),
  privacyTags: isLikely(random, 0.1) ? ['health'] : [],
  isRefusedBefore: isLikely(random, 0.05),
  isDeniedBefore: isLikely(random, 0.05),
  flood: isLikely(random, 0.1)
    ? {
        blocksLastHour: Math.floor(random() * 14),
        isSessionStopped: isLikely(random, 0.3),
        because: pick(random, [null, 'blocks', 'approvals']),
      }
    : null,
  origin: pick(random, ['owner', 'agent', 'outside']),
  askedBy: pick(random, ['approver', 'owner', 'member', 'system']),
  chatMemory: pick(random, ['open', 'open', 'ask', 'closed']),
  isMemoryShown: isLikely(random, 0.2),
});

const stored = ({ action, hash, outcome, trace, facts }: FullVerification): JudgedAction => ({
  action,
  hash,
  outcome,
  trace: [...trace],
  facts: [...facts],
});

const effectOf = async (random: Random, judged: JudgedAction, n: number): Promise<Effect> => {
  const changes = { ...changesOf(random), stage: 'act' } as const;
  const base = isLikely(random, 0.5) ? approvedFacts : factsFor;
  const { trace, facts } = stored(await verifyFully(GATE_SET, judged.action, async (asked) => base(asked, changes)));
  const state = judged.outcome === 'pass' ? 'done' : 'refused';
  return {
    schemaVersion: 1,
    n,
    actuator: judged.action.target,
    state,
    actionHash: judged.hash,
    trace,
    facts,
    tries: 1,
  };
};

/** The n-th decision of a seed, as evidence. */
export const generateEvidence = async (seed: number, n: number): Promise<Evidence> => {
  const random = randomFrom(Math.imul(seed, 0x9e3779b1) ^ n);
  const proposal = proposalOf(random);
  const judged: JudgedAction[] = [];
  for (const action of buildActions(proposal, { reply: REPLY, webhookUrls: URLS })) {
    const changes = changesOf(random);
    judged.push(stored(await verifyFully(GATE_SET, action, async (asked) => factsFor(asked, changes))));
  }
  const isRefused = judged.some(({ outcome }) => outcome === 'block');
  const attempt: Attempt = {
    schemaVersion: 1,
    n: 1,
    at: NOW,
    provider: 'demo',
    model: 'scripted',
    promptHash: 'a'.repeat(64),
    proposal,
    judged: isRefused ? judged : [],
  };
  const decision: Decision = {
    schemaVersion: 1,
    signalId: `con-${n}`,
    at: NOW,
    outcome: isRefused ? 'refuse' : 'act',
    reason: '',
    gateSet: GATE_SET.version,
    policyVersion: POLICY_VERSION,
    attempt,
    attemptCount: 1,
    actions: isRefused ? [] : judged,
  };
  const effects: Effect[] = [];
  for (const [index, one] of decision.actions.entries()) effects.push(await effectOf(random, one, index));
  return Evidence.parse({
    id: `con-${n}`,
    session: 'console:main',
    reply: REPLY,
    receivedAt: NOW,
    attempts: [],
    decision: JSON.parse(JSON.stringify(packDecision(decision))),
    effects: JSON.parse(JSON.stringify(effects.map(packEffect))),
    withheld: [],
    isForgotten: false,
  });
};

export interface ReplayCount {
  readonly judgements: number;
  /** Outcomes seen, so that a generator that has become boring is noticed. */
  readonly outcomes: ReadonlySet<string>;
  /** Judgements that gates had changed. */
  readonly modified: number;
  /** `<seed>/<n> <where>: <difference>` */
  readonly differences: readonly string[];
}

export const replayGenerated = async (seed: number, runs: number): Promise<ReplayCount> => {
  const outcomes = new Set<string>();
  const differences: string[] = [];
  let judgements = 0;
  let modified = 0;
  for (let n = 0; n < runs; n += 1) {
    const evidence = await generateEvidence(seed, n);
    const judged = [...(evidence.decision?.attempt?.judged ?? []), ...(evidence.decision?.actions ?? [])];
    for (const { outcome, facts } of judged) {
      outcomes.add(outcome);
      if (facts.length > 1) modified += 1;
    }
    for (const { kind, where, difference } of replayEvidence(GATE_SET, evidence)) {
      judgements += 1;
      if (kind !== 'identical') differences.push(`${seed}/${n} ${where}: ${kind} ${difference}`);
    }
  }
  return { judgements, outcomes, modified, differences };
};

if (import.meta.main) {
  const { values } = parseArgs({
    options: { runs: { type: 'string', default: '1000000' }, seed: { type: 'string', default: '1' } },
  });
  const startedAt = performance.now();
  const { judgements, modified, differences } = await replayGenerated(Number(values.seed), Number(values.runs));
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
  console.log(
    `${values.runs} decisions, ${judgements} judgements (${modified} changed by gates) in ${seconds} s: ${differences.length} differences`,
  );
  for (const difference of differences.slice(0, 20)) console.log(difference);
  process.exitCode = differences.length === 0 ? 0 : 1;
}
