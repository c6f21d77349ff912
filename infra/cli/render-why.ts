/**
 * A stored decision: what became of it in plain words, then as aligned plain text what came in,
 * each attempt with every gate's verdict and reason, each action, each effect. Pure: the same
 * signal always gives the same lines.
 */

import { ATTEMPTS_MAX } from '../../lib/base/limits.ts';
import { SignalState } from '../../lib/signal/signal.ts';
import { consensusLines, memoryLines } from '../../lib/stages/explain/explain.ts';
import { plainWords, type StoryAction } from '../../lib/stages/explain/plain-words.ts';
import { defang } from '../../lib/text/tappable.ts';
import type { ShownAttempt, SignalAnswer } from './answers.ts';
import { actionLines, actionTitle } from './describe-action.ts';
import { printable, printableLines } from './printable.ts';

/** Paints a verdict or state; the identity where there is no colour. */
export type PaintWord = (word: string, padded: string) => string;

interface Entry {
  readonly gate: string;
  readonly verdict: string;
  readonly reason: string;
}

const VERDICT_CHARS = 7;

const traceLines = (trace: readonly Entry[], paint: PaintWord, indent: string): readonly string[] => {
  const gateChars = Math.max(0, ...trace.map((entry) => entry.gate.length));
  return trace.map((entry) => {
    const verdict = paint(entry.verdict, printable(entry.verdict).padEnd(VERDICT_CHARS));
    const gate = printable(entry.gate);
    const line = entry.reason === '' ? gate : `${gate.padEnd(gateChars)}  ${printable(entry.reason)}`;
    return `${indent}${verdict} ${line}`;
  });
};

/** Links of texts are shown so that a terminal opens none. */
const indentLines = (text: string, indent: string): readonly string[] =>
  printableLines(defang(text))
    .split('\n')
    .map((line) => `${indent}${line}`);

const tokensWords = (attempt: ShownAttempt): string =>
  attempt.outputTokens === undefined ? '' : `, ${attempt.inputTokens ?? 0} + ${attempt.outputTokens} tokens`;

const attemptLines = (attempt: ShownAttempt, paint: PaintWord): readonly string[] => [
  '',
  printable(
    `${attempt.isVote === true ? 'Second opinion' : 'Attempt'} ${attempt.n} by ${attempt.provider} ${attempt.model}${tokensWords(attempt)}`,
  ),
  ...(attempt.tier === undefined ? [] : [printable(`  ${attempt.tier}: ${attempt.tierBecause ?? ''}`)]),
  ...(attempt.failures ?? []).map((line) => `  failed before: ${printable(line)}`),
  ...(attempt.problem === undefined ? [] : [`  problem: ${printable(attempt.problem)}`]),
  ...(attempt.proposal?.text === undefined ? [] : indentLines(attempt.proposal.text, '  says: ').slice(0, 12)),
  ...(attempt.proposal?.calls ?? []).map(
    (call) => `  calls: ${printable(`${call.tool} ${JSON.stringify(call.args)}`)}`,
  ),
  ...traceLines(attempt.trace, paint, '    '),
];

const decisionLines = (decision: NonNullable<SignalAnswer['decision']>, paint: PaintWord): readonly string[] => [
  ...decision.attempts.flatMap((attempt) => attemptLines(attempt, paint)),
  '',
  `Decision: ${paint(decision.outcome, printable(decision.outcome))}${decision.reason === '' ? '' : ` – ${printable(decision.reason)}`}   (gate set ${printable(decision.gateSet.slice(0, 12))})`,
  ...consensusLines(decision).map((line) => `  ${printable(line)}`),
  ...memoryLines(decision).map((line) => `  ${printable(line)}`),
  ...decision.actions.flatMap((item) => [
    `  Action ${item.n}: ${actionTitle(item.action)} – ${paint(item.state, printable(item.state))}`,
    ...actionLines(item.action, '    '),
    ...traceLines(item.trace, paint, '    '),
  ]),
];

/** A person may say what became of these. */
const RESOLVABLE: ReadonlySet<string> = new Set(['unknown', 'failed']);

const effectLines = (view: SignalAnswer, paint: PaintWord): readonly string[] =>
  view.effects.flatMap((effect) => [
    `  Effect ${effect.n}: ${printable(effect.actuator)} – ${paint(effect.state, printable(effect.state))}${effect.reason === undefined ? '' : ` – ${printable(effect.reason)}`}`,
    ...traceLines(
      effect.trace.filter((entry) => entry.verdict !== 'pass'),
      paint,
      '    ',
    ),
    ...(effect.output === undefined ? [] : indentLines(effect.output, '    ').slice(0, 12)),
    ...(RESOLVABLE.has(effect.state) && effect.resolution === undefined
      ? [
          `    look whether it happened, then: passepartout effects resolve ${printable(view.id)}#${effect.n} done|retry`,
        ]
      : []),
  ]);

const ACTION_STATES: readonly StoryAction['state'][] = [
  'done',
  'failed',
  'unknown',
  'refused',
  'suspended',
  'claimed',
  'waiting',
  'pending',
];
const OUTCOMES = ['act', 'refuse', 'drop'] as const;
const VERDICTS = ['pass', 'modify', 'ask', 'block'] as const;

/** What a newer stack may call otherwise is told in the details only. */
const storyLines = (view: SignalAnswer): readonly string[] => {
  const state = SignalState.options.find((known) => known === view.state);
  const { decision } = view;
  const outcome = OUTCOMES.find((known) => known === decision?.outcome);
  if (state === undefined || (decision !== null && outcome === undefined)) return [];
  const rejected = (decision?.attempts ?? []).filter(
    ({ problem, trace, isVote }) =>
      isVote !== true && (problem !== undefined || trace.some(({ verdict }) => verdict === 'block')),
  ).length;
  return plainWords({
    state,
    stateReason: view.stateReason,
    outcome,
    outcomeReason: decision?.reason ?? '',
    rejectedCount: outcome === 'refuse' && rejected < ATTEMPTS_MAX ? 0 : rejected,
    actions: (decision?.actions ?? []).map(({ n, action, state: actionState, trace }) => ({
      tool: action.tool,
      isNotice: action.author === 'code',
      state: ACTION_STATES.find((known) => known === actionState) ?? 'pending',
      reason: view.effects.find((effect) => effect.n === n)?.reason,
      trace: trace.map(({ gate, verdict, reason }) => ({
        gate,
        verdict: VERDICTS.find((known) => known === verdict) ?? 'pass',
        reason,
      })),
    })),
  });
};

export const whyLines = (view: SignalAnswer, paint: PaintWord): readonly string[] => [
  ...storyLines(view).map(printable),
  '',
  `${printable(view.id)} – ${paint(view.state, printable(view.state))}${view.stateReason === undefined ? '' : ` – ${printable(view.stateReason)}`}`,
  `  ${printable(view.sensor)} from ${printable(view.sender)} by ${printable(view.source)}, session ${printable(view.session)}, ${new Date(view.receivedAt).toISOString()}`,
  ...view.text.flatMap((piece) =>
    indentLines(piece.text, piece.origin === 'owner' ? '  > ' : `  > [${printable(piece.label ?? piece.origin)}] `),
  ),
  ...(view.attempts ?? []).flatMap((attempt) => attemptLines(attempt, paint)),
  ...(view.decision === null ? ['', 'No decision yet.'] : decisionLines(view.decision, paint)),
  ...(view.effects.length === 0 ? [] : ['', 'Effects']),
  ...effectLines(view, paint),
  ...(view.children.length === 0 ? [] : ['', `Then: ${view.children.map(printable).join(', ')}`]),
];
