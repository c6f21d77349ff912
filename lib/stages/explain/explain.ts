/**
 * Explains to a chat why a signal ended as it did: plain words first, then attempts, gates and
 * effects. Shows only texts that code wrote (names, verdicts, reasons), and only to a person who
 * may see them. Pure.
 */
import { parseDecision, parseEffect, parseRecord, waitsSince } from '../../ledger/ledger.ts';
import { type SignalRecord, stateReasonOf } from '../../ledger/record.ts';
import { modelName } from '../../llm/choose-model.ts';
import { isGroup } from '../../signal/asker.ts';
import { Attempt, type Decision, type Effect, type JudgedAction } from '../../signal/decision.ts';
import type { Signal } from '../../signal/signal.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';
import { changeLines } from './change-lines.ts';
import { handedWords, isHanded, plainWords, type Story, shownStateOf } from './plain-words.ts';

/** @param items everything stored under the signal @param asker the signal that asks */
export const explainSignal = (id: string, items: readonly Item[], asker: Signal): readonly string[] => {
  const recordItem = items.find((item) => item.sk === 'record');
  const record = recordItem === undefined ? undefined : parseRecord(id, recordItem);
  const mayNotSee = record !== undefined && !isOfHere(record.signal, asker) && !mayLookElsewhere(asker);
  if (record === undefined || mayNotSee)
    return [`I know of no task ${id.replace(/[^\w/.:-]/gu, '').slice(0, 80)} here.`];
  const decisionItem = items.find((item) => item.sk === 'decision');
  const decision = decisionItem === undefined ? undefined : parseDecision(id, decisionItem);
  const attempts = items
    .filter((item) => String(item.sk).startsWith('attempt#'))
    .map((item) => parseStored(withoutKey(item), Attempt, `attempt of ${id}`));
  const rejected = attempts.filter(isRejected(decision));
  // The last attempt of a refusal stands in its decision.
  const last = decision?.outcome === 'refuse' && decision.attempt !== undefined ? [decision.attempt] : [];
  const stateReason = stateReasonOf(record, decision !== undefined);
  const effects = items.filter((item) => String(item.sk).startsWith('effect#')).map((item) => parseEffect(id, item));
  return [
    ...plainWords(buildStory(record, decision, rejected.length, effects)),
    '',
    `${id}: ${shownStateOf(record.state, stateReason)}${stateReason === undefined ? '' : ` (${stateReason})`}${byScript(record.signal)}`,
    ...[...rejected, ...last].flatMap((attempt) => [
      `Attempt ${attempt.n}: rejected${attempt.problem === undefined ? '' : ` (${attempt.problem})`}`,
      ...attempt.judged.flatMap(judgedLines),
    ]),
    ...(decision === undefined
      ? []
      : [
          ...modelLines(decision.attempt),
          `Decision: ${decision.outcome}${decision.reason === '' ? '' : ` (${decision.reason})`}`,
          ...consensusLines(decision),
          ...memoryLines(decision),
          ...skillLines(decision),
          ...decision.actions.flatMap(judgedLines),
        ]),
    ...effects.map(effectLine),
    ...changeLines(items),
  ];
};

/** Names the script that sent it. */
const byScript = ({ sender }: Signal): string =>
  sender.id.startsWith('script:') ? `, by script ${sender.id.slice('script:'.length)}` : '';

/** Whether both have one conversation, or are answered in one chat, as a webhook's task is. */
const isOfHere = ({ session, reply }: Signal, asker: Signal): boolean =>
  session === asker.session || (reply.target === asker.reply.target && reply.to === asker.reply.to);

/** Others read along in a group: there even an approver sees only the group's tasks. */
const mayLookElsewhere = ({ sender, reply }: Signal): boolean => sender.isApprover && !isGroup(reply);

/** Leaves out the attempt that was decided on, and those asked for beside it. */
const isRejected =
  (decision: Decision | undefined) =>
  ({ n, isVote, judged }: Attempt): boolean =>
    isVote !== true &&
    n !== decision?.attempt?.n &&
    (judged.length === 0 || judged.some(({ outcome }) => outcome === 'block'));

const CONSENSUS_WORDS: Readonly<Record<NonNullable<Decision['consensus']>['outcome'], string>> = {
  agreed: 'all proposed the same',
  majority: 'most proposed the same',
  safest: 'they did not agree; the safest proposal was taken',
  alone: 'nobody else gave a proposal',
};

/** Names the models that were asked, with verdicts and hashes, and no words of a model. */
export const consensusLines = ({ consensus }: Pick<Decision, 'consensus'>): readonly string[] =>
  consensus === undefined
    ? []
    : [
        `Models asked: ${consensus.votes.length}; ${CONSENSUS_WORDS[consensus.outcome]}`,
        ...consensus.votes.map(
          ({ n, provider, model, verdict, form = 'no proposal' }) =>
            `  ${modelName(provider, model)}: ${form.slice(0, 12)}${verdict === 'none' ? '' : ` (${verdict})`}${n === consensus.taken ? ', taken' : ''}`,
        ),
      ];

/** Names the model that answered, its tier and why, and providers that failed before. */
const modelLines = (attempt: Attempt | undefined): readonly string[] =>
  attempt === undefined
    ? []
    : [
        `Model: ${modelName(attempt.provider, attempt.model)}${attempt.tier === undefined ? '' : ` (${attempt.tier}: ${attempt.tierBecause ?? ''})`}`,
        ...(attempt.failures ?? []).map((line) => `Failed before: ${line}`),
      ];

const buildStory = (
  record: SignalRecord,
  decision: Decision | undefined,
  storedAttempts: number,
  effects: readonly Effect[],
): Story => ({
  state: shownStateOf(record.state, record.stateReason),
  stateReason: stateReasonOf(record, decision !== undefined),
  outcome: decision?.outcome,
  outcomeReason: decision?.reason ?? '',
  // A refusal by the gates keeps its last attempt in the decision; other refusals have none.
  rejectedCount:
    decision?.outcome !== 'refuse' ? storedAttempts : decision.attempt === undefined ? 0 : storedAttempts + 1,
  actions: (decision?.actions ?? []).map(({ action, trace }, n) => {
    const effect = effects.find((candidate) => candidate.n === n);
    return {
      // The answer is stored, and would hold words that somebody forgets later.
      call: action.tool && `The call of ${action.tool}`,
      isNotice: action.author === 'code',
      state: effect === undefined ? 'pending' : shownState(effect),
      reason: effect !== undefined && isHanded(effect) ? handedWords(effect.handedTo) : effect?.reason,
      trace,
    };
  }),
});

const withoutKey = (item: Item): Item => {
  const { pk: _pk, sk: _sk, ...rest } = item;
  return rest;
};

const logWords = ({ treeSize, rootHash }: NonNullable<Decision['memory']>): string =>
  treeSize === undefined || rootHash === undefined ? '' : ` (log of ${treeSize} leaves, root ${rootHash})`;

/** Lists the memory objects in the prompt by id and version, without words. */
export const memoryLines = ({ memory, seen = [] }: Pick<Decision, 'memory' | 'seen'>): readonly string[] => {
  if (memory === undefined && seen.length === 0) return [];
  const at = memory === undefined ? '' : ` at commit ${memory.commit}${logWords(memory)}`;
  const shown = seen.length === 0 ? 'nothing of it' : seen.map(({ id, version }) => `${id} v${version}`).join(', ');
  return [`Memory${at}, shown: ${shown}`];
};

/** The added skill whose text the prompt showed, by version. */
export const skillLines = ({ skill }: Pick<Decision, 'skill'>): readonly string[] =>
  skill === undefined ? [] : [`Skill shown: ${skill.name}, version ${skill.hash}`];

const judgedLines = (judged: JudgedAction): readonly string[] => {
  const told = judged.trace
    .filter((entry) => entry.verdict !== 'pass')
    .map((entry) => `  ${entry.gate}: ${entry.verdict} – ${entry.reason}`);
  return [
    `${judged.action.tool ?? judged.action.template ?? 'reply'}: ${judged.outcome}, ${judged.trace.length} gates`,
    ...told,
  ];
};

const shownState = (effect: Effect): Effect['state'] | 'waiting' | 'handed' => {
  if (isHanded(effect)) return 'handed';
  return waitsSince(effect) === undefined ? effect.state : 'waiting';
};

const effectLine = (effect: Effect): string =>
  `Effect ${effect.n} (${effect.actuator}): ${shownState(effect)}${effect.grantId === undefined ? '' : ` by grant ${effect.grantId}`}${effect.reason === undefined ? '' : ` – ${effect.reason}`}`;
