/**
 * The story of one signal in lines: plain words first, then attempts, gates and effects. The brief
 * form is for a chat, where the lines are stored: it holds only texts that code wrote (names,
 * verdicts, reasons). The whole form shows everything. Pure.
 */
import { ATTEMPTS_MAX } from '../../base/limits.ts';
import { makeVisible } from '../../base/make-visible.ts';
import { type CardWords, describeAction } from '../../judge/card.ts';
import { modelName } from '../../llm/choose-model.ts';
import type { Attempt, Decision, JudgedAction } from '../../signal/decision.ts';
import type { TraceEntry } from '../../signal/gate.ts';
import { isTyped } from '../../signal/ids.ts';
import { defang } from '../../text/tappable.ts';
import { plainWords } from './plain-words.ts';
import type { StoredSignal } from './stored-signal.ts';
import type { SignalTexts } from './texts.ts';
import type { ActionView, AttemptView, DecisionView, EffectView, SignalView } from './view.ts';

const isBlocked = ({ trace }: Pick<AttemptView, 'trace'>): boolean => trace.some(({ verdict }) => verdict === 'block');

/** @param callOf the words for a call */
const summaryLines = (
  view: SignalView,
  say: SignalTexts,
  callOf: (action: ActionView) => string,
): readonly string[] => {
  const { decision, effects, state, stateReason } = view;
  const rejected = (decision?.attempts ?? view.attempts ?? []).filter(
    (attempt) => attempt.isVote !== true && (attempt.problem !== undefined || isBlocked(attempt)),
  ).length;
  const story = {
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
  };
  return plainWords(story, say.story);
};

/** Names the models that were asked, with verdicts and hashes, and no words of a model. */
const consensusLines = ({ consensus }: Pick<DecisionView, 'consensus'>, say: SignalTexts): readonly string[] =>
  consensus === undefined
    ? []
    : [
        say.consensus(consensus.votes.length, consensus.outcome),
        ...consensus.votes.map(
          ({ n, provider, model, verdict, form = say.noProposal }) =>
            `  ${modelName(provider, model)}: ${form === say.noProposal ? form : form.slice(0, 12)}${verdict === 'none' ? '' : ` (${say.state(verdict)})`}${n === consensus.taken ? say.taken : ''}`,
        ),
      ];

/** Lists the memory objects in the prompt by id and version, without words. */
export const memoryLines = (
  { memory, seen = [] }: Pick<DecisionView, 'memory' | 'seen'>,
  say: SignalTexts,
): readonly string[] => {
  if (memory === undefined && seen.length === 0) return [];
  const { commit, treeSize, rootHash } = memory ?? {};
  const log = treeSize === undefined || rootHash === undefined ? '' : say.log(treeSize, rootHash);
  return [say.memory(commit, log, seen.map(({ id, version }) => `${id} v${version}`).join(', '))];
};

/** The added skill whose text the prompt showed, by version; or the tools that a job left. */
const skillLines = ({ skill }: Pick<DecisionView, 'skill'>, say: SignalTexts): readonly string[] => {
  if (skill === undefined) return [];
  return [skill.hash === '' ? say.onlyTools(skill.only?.[0]?.join(', ')) : say.skill(skill.name, skill.hash)];
};

const afterDash = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` – ${text}`);

const inBrackets = (text: string | undefined): string => (text === undefined || text === '' ? '' : ` (${text})`);

/** The lines beside a decision: models, memory and skill. */
const asideLines = (decision: DecisionView, say: SignalTexts): readonly string[] => [
  ...(decision.settingsVersion === undefined ? [] : [say.settings(decision.settingsVersion)]),
  ...consensusLines(decision, say),
  ...memoryLines(decision, say),
  ...skillLines(decision, say),
];

// The brief form.

const judgedLines =
  (say: SignalTexts) =>
  ({ action, outcome, trace }: JudgedAction): readonly string[] => [
    say.judged(action.tool ?? action.template ?? say.answer, say.state(outcome), trace.length),
    ...trace
      .filter(({ verdict }) => verdict !== 'pass')
      .map((one) => `  ${one.gate}: ${say.state(one.verdict)} – ${say.story.stored(one.reason)}`),
  ];

/** Names the model that answered, its tier and why, and providers that failed before. */
const modelLines = (attempt: Attempt | undefined, say: SignalTexts): readonly string[] => {
  if (attempt === undefined) return [];
  const { provider, model, tier, tierBecause = '', failures = [] } = attempt;
  return [
    say.model(modelName(provider, model), tier === undefined ? '' : ` (${tier}: ${say.story.stored(tierBecause)})`),
    ...failures.map(say.failedBefore),
  ];
};

/** Leaves out the attempt that was decided on, and those asked for beside it. */
const isRejected = (decision: Decision | undefined, { n, isVote, judged }: Attempt): boolean => {
  if (n === decision?.attempt?.n) return decision.outcome === 'refuse';
  return isVote !== true && (judged.length === 0 || judged.some(({ outcome }) => outcome === 'block'));
};

const briefEffectLine =
  (say: SignalTexts) =>
  ({ n, actuator, state, grantId, reason }: EffectView): string =>
    `${say.effect(n, actuator)}: ${say.state(state)}${grantId === undefined ? '' : say.byGrant(grantId)}${afterDash(reason && say.story.stored(reason))}`;

export const briefLines = (
  { attempts, decision }: StoredSignal,
  view: SignalView,
  say: SignalTexts,
): readonly string[] => {
  const { id, state, stateReason, sender, effects, changes = [] } = view;
  const script = /^script:(.*)$/s.exec(sender)?.[1];
  return [
    ...summaryLines(view, say, ({ action }) => say.theCall(String(action.tool))),
    '',
    `${id}: ${say.state(state)}${inBrackets(stateReason && say.story.stored(stateReason))}${script === undefined ? '' : say.byScript(script)}`,
    ...attempts
      .filter((attempt) => isRejected(decision, attempt))
      .flatMap((attempt) => [
        `${say.attemptRejected(attempt.n)}${inBrackets(attempt.problem && say.story.stored(attempt.problem))}`,
        ...attempt.judged.flatMap(judgedLines(say)),
      ]),
    ...(decision === undefined || view.decision === null
      ? []
      : [
          ...modelLines(decision.attempt, say),
          `${say.decision(say.state(decision.outcome))}${inBrackets(say.story.stored(decision.reason))}`,
          ...asideLines(view.decision, say),
          ...decision.actions.flatMap(judgedLines(say)),
        ]),
    ...effects.map(briefEffectLine(say)),
    ...changes.map(say.story.stored),
  ];
};

// The whole form, with the model's words and the fields of actions.

const VERDICT_CHARS_MIN = 7;
/** Lines of a long text that are shown. */
const TEXT_LINES_MAX = 12;

/** A text with its lines indented, and its links written so that nothing opens them. */
const indent = (text: string, before: string): readonly string[] =>
  defang(text)
    .split(/\r?\n/)
    .map((line) => `${before}${line}`);

const traceLines = (trace: readonly TraceEntry[], say: SignalTexts): readonly string[] => {
  const gateChars = Math.max(0, ...trace.map(({ gate }) => gate.length));
  const verdictChars = Math.max(VERDICT_CHARS_MIN, ...trace.map(({ verdict }) => say.state(verdict).length));
  return trace.map(({ gate, verdict, reason }) => {
    const line = reason === '' ? gate : `${gate.padEnd(gateChars)}  ${say.story.stored(reason)}`;
    return `    ${say.state(verdict).padEnd(verdictChars)} ${line}`;
  });
};

const attemptLines = (attempt: AttemptView, say: SignalTexts): readonly string[] => {
  const { n, provider, model, inputTokens = 0, outputTokens, isVote = false } = attempt;
  const { tier, tierBecause = '', failures = [], problem, proposal, trace } = attempt;
  const { story, whole } = say;
  const tokens = outputTokens === undefined ? undefined : ([inputTokens, outputTokens] as const);
  return [
    '',
    whole.attempt(n, modelName(provider, model), isVote, tokens),
    ...(tier === undefined ? [] : [`  ${tier}: ${story.stored(tierBecause)}`]),
    ...failures.map((line) => `  ${whole.failedBefore(line)}`),
    ...(problem === undefined ? [] : [`  ${whole.problem}: ${story.stored(problem)}`]),
    ...(proposal?.text === undefined ? [] : indent(proposal.text, `  ${whole.says}: `).slice(0, TEXT_LINES_MAX)),
    ...(proposal?.calls ?? []).map(({ tool, args }) => `  ${whole.calls}: ${tool} ${JSON.stringify(args)}`),
    ...traceLines(trace, say),
  ];
};

/** Links in a text are written so that nothing opens them; those of a call stay as they are. */
const titleOf =
  (card: CardWords) =>
  ({ action }: ActionView): string => {
    const sentence = card.sentence(action);
    return action.tool === undefined ? defang(sentence) : sentence;
  };

/** The address of a call stays as it is. */
export const fieldOf = (line: string): string => (/^(?:Address|Adresse): /.test(line) ? line : defang(line));

const decisionLines = (decision: DecisionView, say: SignalTexts, card: CardWords): readonly string[] => [
  ...decision.attempts.flatMap((one) => attemptLines(one, say)),
  '',
  `${say.decision(say.state(decision.outcome))}${afterDash(say.story.stored(decision.reason))}   (${say.whole.gateSet} ${decision.gateSet.slice(0, 12)})`,
  ...asideLines(decision, say).map((line) => `  ${line}`),
  ...decision.actions.flatMap((one) => [
    `  ${say.whole.action} ${one.n}: ${titleOf(card)(one)} – ${say.state(one.state)}`,
    ...describeAction(one.action, undefined, card).map((line) => `    ${fieldOf(line)}`),
    ...traceLines(one.trace, say),
  ]),
];

const resolveLines = (id: string, { n, state, resolution }: EffectView, say: SignalTexts): readonly string[] => {
  const resolve = `npx passepartout effects resolve ${id}#${n}`;
  if (resolution !== undefined) return [];
  if (state === 'failed') return [`    ${say.whole.retry(`${resolve} retry`)}`];
  return state === 'unknown' ? [`    ${say.whole.resolve(`${resolve} done`)}`] : [];
};

const effectLines = (id: string, effect: EffectView, say: SignalTexts): readonly string[] => [
  `  ${say.whole.effect(effect.n, effect.actuator)} – ${say.state(effect.state)}${afterDash(effect.reason && say.story.stored(effect.reason))}`,
  ...traceLines(
    effect.trace.filter(({ verdict }) => verdict !== 'pass'),
    say,
  ),
  ...(effect.output === undefined ? [] : indent(say.story.stored(effect.output), '    ').slice(0, TEXT_LINES_MAX)),
  ...resolveLines(id, effect, say),
];

export const wholeLines = (view: SignalView, say: SignalTexts, card: CardWords): readonly string[] => {
  const { id, state, stateReason, sensor, sender, source, session, receivedAt, text, effects, changes = [] } = view;
  const { whole, story } = say;
  const lines = [
    ...summaryLines(view, say, titleOf(card)),
    '',
    `${id} – ${say.state(state)}${afterDash(stateReason && story.stored(stateReason))}`,
    ...(state === 'dead-lettered' ? [`  ${whole.retry(`npx passepartout redrive ${id}`)}`] : []),
    `  ${whole.cameFrom(sensor, sender, source, session, new Date(receivedAt).toISOString())}`,
    ...text.flatMap((one) => indent(one.text, one.origin === 'owner' ? '  > ' : `  > [${one.label ?? one.origin}] `)),
    ...(view.attempts ?? []).flatMap((one) => attemptLines(one, say)),
    ...(view.decision === null ? ['', whole.noDecision] : decisionLines(view.decision, say, card)),
    ...(effects.length === 0 ? [] : ['', whole.effects]),
    ...effects.flatMap((effect) => effectLines(id, effect, say)),
    ...(changes.length === 0 ? [] : ['', ...changes.map(story.stored)]),
    ...(view.rules === undefined ? [] : ['', view.rules]),
    ...(view.children.length === 0 ? [] : ['', whole.caused(view.children.join(', '))]),
  ];
  return lines.map((line) => makeVisible(line));
};
