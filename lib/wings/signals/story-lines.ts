/**
 * The story of one signal in lines: plain words first, then attempts, gates and effects. The brief
 * form is for a chat, where the lines are stored: it holds only texts that code wrote (names,
 * verdicts, reasons). The whole form shows everything. Pure.
 */
import { ATTEMPTS_MAX } from '../../base/limits.ts';
import { makeVisible } from '../../base/make-visible.ts';
import { describeAction } from '../../judge/card.ts';
import { modelName } from '../../llm/choose-model.ts';
import type { Attempt, Decision, JudgedAction } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import { isTyped } from '../../signal/ids.ts';
import { defang } from '../../text/tappable.ts';
import { plainWords } from './plain-words.ts';
import type { StoredSignal } from './stored-signal.ts';
import type { ActionView, AttemptView, DecisionView, EffectView, SignalView } from './view.ts';

const isBlocked = ({ trace }: Pick<AttemptView, 'trace'>): boolean => trace.some(({ verdict }) => verdict === 'block');

/** @param callOf the words for a call */
const summaryLines = (view: SignalView, callOf: (action: ActionView) => string): readonly string[] => {
  const { decision, effects, state, stateReason } = view;
  const rejected = (decision?.attempts ?? view.attempts ?? []).filter(
    (attempt) => attempt.isVote !== true && (attempt.problem !== undefined || isBlocked(attempt)),
  ).length;
  return plainWords({
    state,
    stateReason,
    outcome: decision?.outcome,
    outcomeReason: decision?.reason ?? '',
    // A refusal by the gates has used up all attempts; other refusals have none.
    rejectedCount: decision?.outcome === 'refuse' && rejected < ATTEMPTS_MAX ? 0 : rejected,
    actions: (decision?.actions ?? []).map((one) => ({
      call: one.action.tool === undefined ? undefined : callOf(one),
      isNotice: one.action.author === 'code' && !isTyped(one.action),
      state: one.state,
      reason: effects.find(({ n }) => n === one.n)?.reason,
      trace: one.trace,
    })),
  });
};

const CONSENSUS_WORDS: Readonly<Record<NonNullable<Decision['consensus']>['outcome'], string>> = {
  agreed: 'all proposed the same',
  majority: 'most proposed the same',
  safest: 'they did not agree; the safest proposal was taken',
  alone: 'nobody else gave a proposal',
};

/** Names the models that were asked, with verdicts and hashes, and no words of a model. */
const consensusLines = ({ consensus }: Pick<DecisionView, 'consensus'>): readonly string[] =>
  consensus === undefined
    ? []
    : [
        `Models asked: ${consensus.votes.length}; ${CONSENSUS_WORDS[consensus.outcome]}`,
        ...consensus.votes.map(
          ({ n, provider, model, verdict, form = 'no proposal' }) =>
            `  ${modelName(provider, model)}: ${form.slice(0, 12)}${verdict === 'none' ? '' : ` (${verdict})`}${n === consensus.taken ? ', taken' : ''}`,
        ),
      ];

const logWords = ({ treeSize, rootHash }: NonNullable<Decision['memory']>): string =>
  treeSize === undefined || rootHash === undefined ? '' : ` (log of ${treeSize} leaves, root ${rootHash})`;

/** Lists the memory objects in the prompt by id and version, without words. */
export const memoryLines = ({ memory, seen = [] }: Pick<DecisionView, 'memory' | 'seen'>): readonly string[] => {
  if (memory === undefined && seen.length === 0) return [];
  const at = memory === undefined ? '' : ` at commit ${memory.commit}${logWords(memory)}`;
  const shown = seen.length === 0 ? 'nothing of it' : seen.map(({ id, version }) => `${id} v${version}`).join(', ');
  return [`Memory${at}, shown: ${shown}`];
};

/** The added skill whose text the prompt showed, by version; or the tools that a job left. */
const skillLines = ({ skill }: Pick<DecisionView, 'skill'>): readonly string[] => {
  if (skill === undefined) return [];
  if (skill.hash === '') return [`Only these tools, by its job: ${skill.only?.[0]?.join(', ')}`];
  return [`Skill shown: ${skill.name}, version ${skill.hash}`];
};

const afterDash = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` – ${text}`);

const inBrackets = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` (${text})`);

/** The lines beside a decision: models, memory and skill. */
const asideLines = (decision: DecisionView): readonly string[] => [
  ...(decision.settingsVersion === undefined ? [] : [`By version ${decision.settingsVersion} of the settings`]),
  ...consensusLines(decision),
  ...memoryLines(decision),
  ...skillLines(decision),
];

// The brief form.

const judgedLines = ({ action, outcome, trace }: JudgedAction): readonly string[] => [
  `${action.tool ?? action.template ?? 'reply'}: ${outcome}, ${trace.length} gates`,
  ...trace.filter(({ verdict }) => verdict !== 'pass').map((one) => `  ${one.gate}: ${one.verdict} – ${one.reason}`),
];

/** Names the model that answered, its tier and why, and providers that failed before. */
const modelLines = (attempt: Attempt | undefined): readonly string[] =>
  attempt === undefined
    ? []
    : [
        `Model: ${modelName(attempt.provider, attempt.model)}${attempt.tier === undefined ? '' : ` (${attempt.tier}: ${attempt.tierBecause ?? ''})`}`,
        ...(attempt.failures ?? []).map((line) => `Failed before: ${line}`),
      ];

/** Leaves out the attempt that was decided on, and those asked for beside it. */
const isRejected = (decision: Decision | undefined, { n, isVote, judged }: Attempt): boolean => {
  if (n === decision?.attempt?.n) return decision.outcome === 'refuse';
  return isVote !== true && (judged.length === 0 || judged.some(({ outcome }) => outcome === 'block'));
};

const briefEffectLine = ({ n, actuator, state, grantId, reason }: EffectView): string =>
  `Effect ${n} (${actuator}): ${state}${grantId === undefined ? '' : ` by grant ${grantId}`}${afterDash(reason)}`;

export const briefLines = ({ attempts, decision }: StoredSignal, view: SignalView): readonly string[] => {
  const { id, state, stateReason, sender, effects, changes = [] } = view;
  const script = /^script:(.*)$/s.exec(sender)?.[1];
  return [
    ...summaryLines(view, ({ action }) => `The call of ${action.tool}`),
    '',
    `${id}: ${state}${inBrackets(stateReason)}${script === undefined ? '' : `, by script ${script}`}`,
    ...attempts
      .filter((attempt) => isRejected(decision, attempt))
      .flatMap((attempt) => [
        `Attempt ${attempt.n}: rejected${inBrackets(attempt.problem)}`,
        ...attempt.judged.flatMap(judgedLines),
      ]),
    ...(decision === undefined || view.decision === null
      ? []
      : [
          ...modelLines(decision.attempt),
          `Decision: ${decision.outcome}${inBrackets(decision.reason)}`,
          ...asideLines(view.decision),
          ...decision.actions.flatMap(judgedLines),
        ]),
    ...effects.map(briefEffectLine),
    ...changes,
  ];
};

// The whole form.

const VERDICT_CHARS = 7;
/** Lines of a long text that are shown. */
const TEXT_LINES_MAX = 12;

/** A text with its lines indented, and its links written so that nothing opens them. */
const indent = (text: string, before: string): readonly string[] =>
  defang(text)
    .split(/\r?\n/)
    .map((line) => `${before}${line}`);

const traceLines = (trace: readonly TraceEntry[]): readonly string[] => {
  const gateChars = Math.max(0, ...trace.map(({ gate }) => gate.length));
  return trace.map(({ gate, verdict, reason }) => {
    const line = reason === '' ? gate : `${gate.padEnd(gateChars)}  ${reason}`;
    return `    ${verdict.padEnd(VERDICT_CHARS)} ${line}`;
  });
};

const attemptTitle = ({ isVote, n, provider, model, inputTokens = 0, outputTokens }: AttemptView): string => {
  const tokens = outputTokens === undefined ? '' : `, ${inputTokens} + ${outputTokens} tokens`;
  return `${isVote === true ? 'Second opinion' : 'Attempt'} ${n} by ${modelName(provider, model)}${tokens}`;
};

const attemptLines = (attempt: AttemptView): readonly string[] => {
  const { tier, tierBecause = '', failures = [], problem, proposal, trace } = attempt;
  return [
    '',
    attemptTitle(attempt),
    ...(tier === undefined ? [] : [`  ${tier}: ${tierBecause}`]),
    ...failures.map((line) => `  failed before: ${line}`),
    ...(problem === undefined ? [] : [`  problem: ${problem}`]),
    ...(proposal?.text === undefined ? [] : indent(proposal.text, '  says: ').slice(0, TEXT_LINES_MAX)),
    ...(proposal?.calls ?? []).map(({ tool, args }) => `  calls: ${tool} ${JSON.stringify(args)}`),
    ...traceLines(trace),
  ];
};

/** Links in a text are written so that nothing opens them; those of a call stay as they are. */
const titleOf = ({ action, sentence }: ActionView): string => (action.tool === undefined ? defang(sentence) : sentence);

/** The address of a call stays as it is. */
export const fieldOf = (line: string): string => (line.startsWith('Address: ') ? line : defang(line));

const decisionLines = (decision: DecisionView): readonly string[] => [
  ...decision.attempts.flatMap(attemptLines),
  '',
  `Decision: ${decision.outcome}${afterDash(decision.reason)}   (gate set ${decision.gateSet.slice(0, 12)})`,
  ...asideLines(decision).map((line) => `  ${line}`),
  ...decision.actions.flatMap((one) => [
    `  Action ${one.n}: ${titleOf(one)} – ${one.state}`,
    ...describeAction(one.action).map((line) => `    ${fieldOf(line)}`),
    ...traceLines(one.trace),
  ]),
];

const resolveLines = (id: string, { n, state, resolution }: EffectView): readonly string[] => {
  const resolve = `npx passepartout effects resolve ${id}#${n}`;
  if (resolution !== undefined) return [];
  if (state === 'failed') return [`    to try it again: ${resolve} retry`];
  return state === 'unknown' ? [`    look whether it happened, then (done, or retry): ${resolve} done`] : [];
};

const effectLines = (id: string, effect: EffectView): readonly string[] => {
  const { n, actuator, state, reason, trace, output } = effect;
  return [
    `  Effect ${n}: ${actuator} – ${state}${afterDash(reason)}`,
    ...traceLines(trace.filter(({ verdict }) => verdict !== 'pass')),
    ...(output === undefined ? [] : indent(output, '    ').slice(0, TEXT_LINES_MAX)),
    ...resolveLines(id, effect),
  ];
};

export const wholeLines = (view: SignalView): readonly string[] => {
  const { id, state, stateReason, sensor, sender, source, session, receivedAt, text, effects, changes = [] } = view;
  const lines = [
    ...summaryLines(view, titleOf),
    '',
    `${id} – ${state}${afterDash(stateReason)}`,
    ...(state === 'dead-lettered' ? [`  to try it again: npx passepartout redrive ${id}`] : []),
    `  ${sensor} from ${sender} by ${source}, session ${session}, ${new Date(receivedAt).toISOString()}`,
    ...text.flatMap((one) => indent(one.text, one.origin === 'owner' ? '  > ' : `  > [${one.label ?? one.origin}] `)),
    ...(view.attempts ?? []).flatMap(attemptLines),
    ...(view.decision === null ? ['', 'No decision yet.'] : decisionLines(view.decision)),
    ...(effects.length === 0 ? [] : ['', 'Effects']),
    ...effects.flatMap((effect) => effectLines(id, effect)),
    ...(changes.length === 0 ? [] : ['', ...changes]),
    ...(view.rules === undefined ? [] : ['', view.rules]),
    ...(view.children.length === 0 ? [] : ['', `Then: ${view.children.join(', ')}`]),
  ];
  return lines.map((line) => makeVisible(line));
};
