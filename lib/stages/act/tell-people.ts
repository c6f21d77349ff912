/**
 * Builds the notices that a signal's effects give rise to: answers to commands, refusals, texts
 * that may be lost, and a channel that is back after an outage. Each is stored as a decided signal,
 * to be published. Repeating changes nothing.
 */

import { showPlainly } from '../../approvals/show-plainly.ts';
import { defined } from '../../base/defined.ts';
import { utcMinute } from '../../base/utc-minute.ts';
import { cardWords } from '../../judge/card.ts';
import { type AnsweredWords, CHANNEL_BACK, inLanguage, type Notice, notices } from '../../judge/notices.ts';
import { saveNotice } from '../../judge/notify.ts';
import { NEWS_DIGEST } from '../../ledger/digests.ts';
import { outputOf } from '../../ledger/ledger.ts';
import { codeOfEffect } from '../../ledger/old-sentences.ts';
import { chatSettingOf } from '../../ledger/owner-settings.ts';
import { RUNNER_GRACE_MS, RUNNER_RUN_MS_MAX } from '../../runner/order.ts';
import { loadRunners } from '../../runner/runner-powers.ts';
import { type Action, isText } from '../../signal/action.ts';
import { isRecording, mayReadAgain, NOT_READ, READ_ATTACHMENT } from '../../signal/attachment.ts';
import { homeRoute, sendsMessages } from '../../signal/channels.ts';
import type { Effect } from '../../signal/decision.ts';
import { doubtSuffix, isTyped, MAY_BE_LOST, VOICE_NOTE } from '../../signal/ids.ts';
import type { Signal } from '../../signal/signal.ts';
import { absent, anyOf, below, type Condition, equals } from '../../store/condition.ts';
import type { Table } from '../../store/table.ts';
import { updateIf } from '../../store/update-if.ts';
import { fileIn } from '../../text/file-text.ts';
import { defang } from '../../text/tappable.ts';
import { actionSentence } from '../../tools/action-sentence.ts';
import { callWebhook } from '../../tools/call-webhook.ts';
import { findTool } from '../../tools/catalogue.ts';
import type { ActDeps, ActTurn } from './act-context.ts';
import { isPutOff } from './keep-back.ts';
import { loadRoot } from './load-decision.ts';
import { wasStopped } from './was-stopped.ts';

/** @returns the notices' signals, to be published */
export const tellPeople = async (
  deps: ActDeps,
  turn: ActTurn,
  effects: readonly Effect[],
): Promise<readonly Signal[]> => {
  const { signal } = turn.record;
  const told: Signal[] = [];
  const tell = async (suffix: string, notice: Notice | undefined): Promise<void> => {
    if (notice === undefined) return;
    const context = { gateSet: deps.gateSet, now: deps.now(), settings: turn.settings };
    told.push((await saveNotice(deps.table, context, signal, suffix, notice)).signal);
  };
  const acted = effects.flatMap((effect) => {
    const action = turn.decision.actions[effect.n]?.action;
    return action === undefined ? [] : [{ effect, action }];
  });
  for (const { effect, action } of acted) await tell(`refused-${effect.n}`, buildRefusalNotice(turn, effect, action));
  const unread = new Set<string>();
  for (const { effect, action } of acted) {
    const isAgain = mayReadAgain(effect, codeOfEffect(effect), action.tool);
    const suffix = isAgain ? doubtSuffix(effect.n, effect.tries) : `result-${effect.n}`;
    const result = buildResultNotice(turn, effect, action);
    // One sentence for all files of an album that fail alike.
    if (action.tool === READ_ATTACHMENT && effect.state !== 'done') {
      if (unread.has(result?.text ?? '')) continue;
      unread.add(result?.text ?? '');
    }
    await tell(suffix, isAgain && result !== undefined ? { ...result, template: NOT_READ } : result);
  }
  for (const { effect, action } of acted) {
    await tell(`voice-${effect.n}`, buildVoiceNotice(turn, effect, action));
    if (isInDoubt(effect, action, signal))
      await tell(doubtSuffix(effect.n, effect.tries), await buildDoubtNotice(deps, signal, effect));
    await tell(`back-${effect.n}`, await buildReturnNotice(deps, signal, effect));
    await tell('away', await buildAwayNotice(deps, signal, effect));
  }
  return told;
};

/** A reply that only the last mile refused leaves its person a word, unless all is stopped. */
const buildRefusalNotice = (
  { record, decision, killSwitch, head }: ActTurn,
  effect: Effect,
  action: Action,
): Notice | undefined => {
  const { n, state, reason } = effect;
  if (action.author !== 'model' || !isText(action) || state !== 'refused' || killSwitch?.isStopped === true)
    return undefined;
  const { id } = record.signal;
  if (decision.forgottenAt !== undefined) return notices.forgottenMeanwhile(id);
  // By now somebody resumed.
  if (wasStopped(effect) && head?.stoppedBecause === undefined) return notices.stoppedMeanwhile(id);
  return notices.refused(id, [reason ?? ''], decision.actions[n]?.facts.at(-1)?.askedBy !== 'member');
};

/** Longer texts are said as far as a sentence ends before it. */
const SPOKEN_CHARS_MAX = 2_000;

const spokenPart = (text: string): string => {
  const part = text.slice(0, SPOKEN_CHARS_MAX).toWellFormed();
  return part.length === text.length ? text : (/^[\s\S]*[.!?…\n]/.exec(part)?.[0] ?? part);
};

/** An answer in a chat with `/voice on` is said again in a voice note, or one sentence says why. */
const buildVoiceNotice = (
  { decision, settings, killSwitch }: ActTurn,
  effect: Effect,
  { author, template, target, to = '', topic, text = '' }: Action,
): Notice | undefined => {
  const { n, state, reason = '' } = effect;
  if (template === VOICE_NOTE)
    return state === 'done' || killSwitch?.isStopped === true ? undefined : notices.notSpoken(reason);
  const isAnswer = author === 'model' && state === 'done' && decision.actions[n]?.facts.at(-1)?.isPlainReply === true;
  if (target === 'tool' || target === 'webhook' || !isAnswer) return undefined;
  if (chatSettingOf(settings, 'voice', to) !== 'on' || isPutOff(effect) || fileIn(text) !== undefined) return undefined;
  return { template: VOICE_NOTE, text: spokenPart(text), route: { target, to, ...defined({ topic }) } };
};

/** Told at once, as all failures are. */
const COMMAND_FAILED = 'command-failed';

/** A notice that names the action. */
const inEachLanguage = (action: Action, build: (sentence: string) => Notice): Notice => ({
  ...build(actionSentence(action)),
  textIn: async (language) => {
    const { sentence } = await cardWords.in(language);
    return (await inLanguage(build(sentence(action)), language)).text;
  },
});

const isReading = ({ author, tool }: Action): boolean =>
  author === 'model' && tool !== undefined && findTool(tool)?.kind === 'read';

/**
 * A person's command, an action that code began by itself, and a job's step that reads are answered
 * with how they ended. No model is asked about them. A runbook says itself what it came to.
 */
const buildResultNotice = ({ decision, stepRun }: ActTurn, effect: Effect, action: Action): Notice | undefined => {
  const { state, outputOrigin = 'agent' } = effect;
  const isAnswered =
    action.author === 'owner' ||
    (action.author === 'code' && !isText(action)) ||
    (decision.attemptCount === 0 && stepRun === undefined && isReading(action));
  if (!isAnswered || state === 'suspended' || state === 'claimed') return undefined;
  if (action.tool === READ_ATTACHMENT && state === 'done')
    return isRecording(action.args?.kind) ? notices.heard(outputOf(effect), outputOrigin) : undefined;
  // Of what a webhook answers to a text, nobody needs to hear: `why` has it.
  const isSent = isText(action) || (isTyped(action) && action.tool === callWebhook.name);
  const result = (sentence: string): Notice => notices.commandResult(sentence, state, outputOf(effect), outputOrigin);
  if (state !== 'done') return { ...inEachLanguage(action, result), template: COMMAND_FAILED };
  const isOne = decision.actions.length === 1;
  return isSent && !isPutOff(effect) ? notices.sent(isOne ? undefined : action.to) : result('');
};

/**
 * A machine that its owner ended, or never started, takes nothing by itself. The heartbeat tells of
 * one that is only away, and where nobody is answered, by a notice of the same id.
 */
const buildAwayNotice = async (
  { table }: ActDeps,
  { id, space, reply }: Signal,
  { state, handedTo }: Effect,
): Promise<Notice | undefined> => {
  if (state !== 'suspended' || handedTo === undefined || reply.target === 'system') return undefined;
  const { runners } = await loadRunners(table, space);
  const runner = runners.find(({ name }) => name === handedTo.runner);
  if (runner === undefined || (runner.isStopped !== true && runner.seenAt !== undefined)) return undefined;
  const waitsUntil = handedTo.until - RUNNER_RUN_MS_MAX - RUNNER_GRACE_MS;
  return notices.runnerAway(runner.name, utcMinute(waitsUntil), id);
};

/** A shorter wait is no news. */
const OUTAGE_TOLD_MS_MIN = 10_000;

/** Nobody was told since the text began to wait, or this very signal told it. */
const isFirstToTell = async (table: Pick<Table, 'update'>, signal: Signal, since: number, now: number) => {
  const isUntold: Condition = {
    name: 'nobody was told that Telegram is back',
    holds: anyOf(absent('at'), below('at', since), equals('by', signal.id)),
  };
  const key = { pk: `session#${signal.space}#telegram`, sk: 'back' };
  return updateIf(table, key, { set: { schemaVersion: 1, at: now, by: signal.id } }, isUntold);
};

const isReturnNotice = ({ payload }: Signal): boolean =>
  payload.sensor === 'notice' && payload.template === CHANNEL_BACK;

const buildReturnNotice = async (deps: ActDeps, signal: Signal, effect: Effect): Promise<Notice | undefined> => {
  const { waitingSince: since, settledAt: until = deps.now(), state } = effect;
  // The news may have waited too: it would give rise to news of its own, without end.
  if (isReturnNotice(signal)) return undefined;
  if (state !== 'done' || since === undefined || until - since < OUTAGE_TOLD_MS_MIN) return undefined;
  if (!(await isFirstToTell(deps.table, signal, since, until))) return undefined;
  return notices.channelBack(since, until, homeRoute(deps.homeChat) ?? signal.reply);
};

/** Characters of the words that name a text. */
const NAMED_CHARS_MAX = 48;

/** The owner's own words, on one line and without links; empty if no person typed the turn. */
const ownerWords = ({ payload }: Signal): string => {
  if (payload.sensor === 'command') return `/${payload.name} ${payload.rest}`;
  const pieces = 'text' in payload ? payload.text.filter(({ origin }) => origin === 'owner') : [];
  return pieces.map(({ text }) => text).join(' ');
};

const nameAnswer = (root: Signal): AnsweredWords => {
  const words = showPlainly(defang(ownerWords(root).replace(/\s+/g, ' ').trim()));
  const cut = words.length > NAMED_CHARS_MAX ? `${words.slice(0, NAMED_CHARS_MAX).toWellFormed()}…` : words;
  return { words: cut, time: utcMinute(root.receivedAt) };
};

/** Chats that are not served get one text a day. */
const UNSERVED = ['unpaired-chat', 'pairing'];

/** A text that may be lost, or was not sent though somebody would read it. A digest comes again. */
const isInDoubt = (effect: Effect, { target, template, edits }: Action, signal: Signal): boolean =>
  (effect.state === 'unknown' ||
    (effect.state === 'failed' &&
      edits === undefined &&
      template !== NEWS_DIGEST &&
      codeOfEffect(effect)?.code !== 'bot-blocked')) &&
  sendsMessages(target) &&
  template !== MAY_BE_LOST &&
  template !== VOICE_NOTE &&
  !UNSERVED.includes(signal.payload.sensor);

const buildDoubtNotice = async (deps: ActDeps, signal: Signal, effect: Effect): Promise<Notice> => {
  const problem = effect.state === 'failed' ? (effect.reason ?? '') : undefined;
  return notices.mayBeLost(nameAnswer(await loadRoot(deps.table, signal)), problem, `${signal.id}#${effect.n}`);
};
