/**
 * `why`: the whole story of one signal. First what became of it in plain words; then what came in,
 * each attempt with every gate's verdict and reason, each action and each effect.
 */
import { findTypedId, TYPED_ID_AMONG } from '../../../lib/approvals/approval.ts';
import { ATTEMPTS_MAX } from '../../../lib/base/limits.ts';
import { describeAction } from '../../../lib/judge/card.ts';
import { modelName } from '../../../lib/llm/choose-model.ts';
import { consensusLines, memoryLines, skillLines } from '../../../lib/stages/explain/explain.ts';
import { plainWords, SHOWN_STATES, type StoryAction } from '../../../lib/stages/explain/plain-words.ts';
import type { ShownAttempt, SignalAnswer } from '../answers.ts';
import { loadSignal, loadSignals, type StackAccess } from '../client.ts';
import type { Command } from '../command.ts';
import { actionTitle, fieldLine, indentLines } from '../describe-action.ts';
import { EXIT, type PaintWord, paintWith, printable, show } from '../terminal.ts';

interface Entry {
  readonly gate: string;
  readonly verdict: string;
  readonly reason: string;
}

const VERDICT_CHARS = 7;
/** Lines of a long text that are shown. */
const TEXT_LINES_MAX = 12;

const traceLines = (trace: readonly Entry[], paint: PaintWord, indent: string): readonly string[] => {
  const gateChars = Math.max(0, ...trace.map((entry) => entry.gate.length));
  return trace.map((entry) => {
    const verdict = paint(entry.verdict, printable(entry.verdict).padEnd(VERDICT_CHARS));
    const gate = printable(entry.gate);
    const line = entry.reason === '' ? gate : `${gate.padEnd(gateChars)}  ${printable(entry.reason)}`;
    return `${indent}${verdict} ${line}`;
  });
};

/** ` – text`, or nothing without a text. */
const afterDash = (text: string | undefined): string =>
  text === undefined || text === '' ? '' : ` – ${printable(text)}`;

const attemptTitle = ({ isVote, n, provider, model, inputTokens = 0, outputTokens }: ShownAttempt): string => {
  const tokens = outputTokens === undefined ? '' : `, ${inputTokens} + ${outputTokens} tokens`;
  return printable(`${isVote === true ? 'Second opinion' : 'Attempt'} ${n} by ${modelName(provider, model)}${tokens}`);
};

const attemptLines = (attempt: ShownAttempt, paint: PaintWord): readonly string[] => [
  '',
  attemptTitle(attempt),
  ...(attempt.tier === undefined ? [] : [printable(`  ${attempt.tier}: ${attempt.tierBecause ?? ''}`)]),
  ...(attempt.failures ?? []).map((line) => `  failed before: ${printable(line)}`),
  ...(attempt.problem === undefined ? [] : [`  problem: ${printable(attempt.problem)}`]),
  ...(attempt.proposal?.text === undefined
    ? []
    : indentLines(attempt.proposal.text, '  says: ').slice(0, TEXT_LINES_MAX)),
  ...(attempt.proposal?.calls ?? []).map(
    (call) => `  calls: ${printable(`${call.tool} ${JSON.stringify(call.args)}`)}`,
  ),
  ...traceLines(attempt.trace, paint, '    '),
];

const decisionLines = (decision: NonNullable<SignalAnswer['decision']>, paint: PaintWord): readonly string[] => [
  ...decision.attempts.flatMap((attempt) => attemptLines(attempt, paint)),
  '',
  `Decision: ${paint(decision.outcome, printable(decision.outcome))}${afterDash(decision.reason)}   (gate set ${printable(decision.gateSet.slice(0, 12))})`,
  ...consensusLines(decision).map((line) => `  ${printable(line)}`),
  ...memoryLines(decision).map((line) => `  ${printable(line)}`),
  ...skillLines(decision).map((line) => `  ${printable(line)}`),
  ...decision.actions.flatMap((item) => [
    `  Action ${item.n}: ${actionTitle(item.action)} – ${paint(item.state, printable(item.state))}`,
    ...describeAction(item.action).map((line) => `  ${fieldLine(line)}`),
    ...traceLines(item.trace, paint, '    '),
  ]),
];

/** States of effects about which a person may say what happened. */
const RESOLVABLE: readonly string[] = ['unknown', 'failed'];

const effectLines = ({ id, effects }: SignalAnswer, paint: PaintWord): readonly string[] =>
  effects.flatMap(({ n, actuator, state, reason, trace, output, resolution }) => [
    `  Effect ${n}: ${printable(actuator)} – ${paint(state, printable(state))}${reason === undefined ? '' : ` – ${printable(reason)}`}`,
    ...traceLines(
      trace.filter(({ verdict }) => verdict !== 'pass'),
      paint,
      '    ',
    ),
    ...(output === undefined ? [] : indentLines(output, '    ').slice(0, TEXT_LINES_MAX)),
    ...(RESOLVABLE.includes(state) && resolution === undefined
      ? [`    look whether it happened, then: npx passepartout effects resolve ${printable(id)}#${n} done|retry`]
      : []),
  ]);

const ACTION_STATES: readonly StoryAction['state'][] = [
  'done',
  'failed',
  'unknown',
  'refused',
  'suspended',
  'handed',
  'claimed',
  'waiting',
  'pending',
];
const OUTCOMES = ['act', 'refuse', 'drop'] as const;
const VERDICTS = ['pass', 'modify', 'ask', 'block'] as const;

/**
 * A newer stack may have states that this release does not know: then only the details are shown.
 */
const storyLines = (view: SignalAnswer): readonly string[] => {
  const state = SHOWN_STATES.find((known) => known === view.state);
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
      call: action.tool === undefined ? undefined : actionTitle(action),
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

const whyLines = (view: SignalAnswer, paint: PaintWord): readonly string[] => [
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
  ...(view.changes === undefined ? [] : ['', ...view.changes.map(printable)]),
  ...(view.rules === undefined ? [] : ['', printable(view.rules)]),
  ...(view.children.length === 0 ? [] : ['', `Then: ${view.children.map(printable).join(', ')}`]),
];

/** @param typed an id, or the start of one of the newest. @throws CliError */
const loadTyped = async (access: StackAccess, typed: string): Promise<SignalAnswer> => {
  try {
    return await loadSignal(access, typed);
  } catch (error) {
    const { signals } = await loadSignals(access, { limit: String(TYPED_ID_AMONG) });
    const id = findTypedId(
      signals.map((one) => one.id),
      typed,
    );
    if (id === undefined) throw error;
    return loadSignal(access, id);
  }
};

export const why: Command = {
  name: 'why',
  usage: '<signal>',
  summary: "show a signal's attempts, gate verdicts and effects; the start of its id is enough",
  argCount: [1, 1],
  run: async ({ args, access, terminal }) => {
    const view = await loadTyped(await access(), args[0] ?? '');
    show(terminal, view, whyLines(view, paintWith(terminal)));
    return EXIT.ok;
  },
};
