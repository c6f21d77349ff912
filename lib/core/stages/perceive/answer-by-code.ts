/**
 * Answers by code, at zero tokens: commands, stops, approvals, updates from editors, and notices of
 * dropped signals. Takes a perceived record. Ends it with a stored decision for Act or, if nothing
 * is to be said, as dropped. Only Act writes memory (I2): such a command becomes one action.
 */

import { defined } from '../../base/defined.ts';
import { utcMinute } from '../../base/utc-minute.ts';
import { CARD_REASON } from '../../evidence/record-hash.ts';
import { holdsSecret } from '../../gates/rules/find-secrets.ts';
import { approvalNotices } from '../../judge/approval-notices.ts';
import { typedTextTo } from '../../judge/build-actions.ts';
import { commandNotices } from '../../judge/command-notices.ts';
import { decideByCode, routesOf } from '../../judge/judge.ts';
import { type Notice, notices } from '../../judge/notices.ts';
import { buildNoticeDecision } from '../../judge/notify.ts';
import { loadWaitingHere } from '../../judge/waiting-approvals.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { isCommandName, COMMANDS as RIGHTS } from '../../ledger/command-rights.ts';
import { KINDS_A_DAY_MAX } from '../../ledger/event-kinds.ts';
import {
  actMessage,
  advance,
  endedAs,
  parseDecision,
  parseEffect,
  parseRecord,
  saveDecision,
} from '../../ledger/ledger.ts';
import { madeUnder } from '../../ledger/live-settings.ts';
import { codeOfEffect } from '../../ledger/old-sentences.ts';
import { chatMemoryOf, languageOf, ownerSettingsKey, readOwnerSettings } from '../../ledger/owner-settings.ts';
import type { EndedBecause, SignalRecord } from '../../ledger/record.ts';
import { mayReopen, reopenEffect } from '../../ledger/reopen-effect.ts';
import { loadHead } from '../../ledger/session-controls.ts';
import { reaches, standingOf } from '../../ledger/standing.ts';
import { describeForgetting, isForgetting, loadRestoreState } from '../../log/restore-state.ts';
import { chosenScopeOf } from '../../memory/chosen-scope.ts';
import { resetsAt } from '../../money/day-spend.ts';
import {
  type CodeAnswer,
  type CodeContext,
  type CodeDeps,
  type CommandCall,
  commandOrigin,
  type PayloadOf,
  say,
} from '../../operations/code-context.ts';
import { findSensorHook, tellEnded } from '../../operations/hooks.ts';
import type { Action } from '../../signal/action.ts';
import { askerOf } from '../../signal/asker.ts';
import { mayReadAgain } from '../../signal/attachment.ts';
import { chatOf, findChannel, isGroup, sendsMessages } from '../../signal/channels.ts';
import type { Decision, SeenObject } from '../../signal/decision.ts';
import { CHOICE_TAP, tappedTurnId } from '../../signal/ids.ts';
import { isChosenJob, type Signal, type TextPiece, unreadable } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem, loadNamed } from '../../store/load-named.ts';
import { wasWritten } from '../../store/update-if.ts';
import { LINE_LEFT_OUT } from '../../text/left-out.ts';
import { quoted } from '../../text/quoted.ts';
import { messagesOf, sendMessage } from '../../tools/send-message.ts';
import { answerApproval } from './answer-approval.ts';
import { answerChoice, answerNo, findTypedChoice, typeCommand } from './answer-choice.ts';
import { answerOperation } from './answer-operation.ts';
import { isBareAnswer, ownWords } from './bare-answer.ts';
import { COMMANDS } from './commands.ts';
import { meantBy } from './help-lines.ts';
import { loadFacts } from './load-facts.ts';
import { resume, stop } from './stop-and-resume.ts';

/** As if the message of an unread file came again. An approver's words need an approver's tap. */
const readAgain = async (
  { table, publishPerceive, signal: { sender, receivedAt } }: CodeContext,
  { signal: read, forgottenAt }: SignalRecord,
  { chat, message }: PayloadOf<'send-again'>,
): Promise<Notice> => {
  const isOwn = read.sender.id === sender.id && !read.sender.isApprover;
  if (chatOf(read.reply) !== chat || !(sender.isApprover || isOwn)) return notices.mayNotSendAgain();
  if (forgottenAt !== undefined) return notices.readAlready();
  const id = tappedTurnId('again', read.id);
  const accepted = await acceptSignal({ table, publish: publishPerceive }, { ...read, id, root: id, receivedAt });
  return accepted === 'accepted' ? notices.readingAgain(message) : notices.readAlready();
};

/**
 * A person wants a text sent again that may not have arrived. Each such notice allows it once, to
 * whoever asked or an approver, in the chat that it was asked for in or is for.
 */
const answerSendAgain = async (context: CodeContext, tap: PayloadOf<'send-again'>): Promise<Notice> => {
  const {
    table,
    publishPerceive,
    signal: { space, sender },
    now,
  } = context;
  const { signalId: id, n, tries, chat } = tap;
  const [root = id] = id.split('/');
  const items = await loadNamed(table, {
    record: signalKeys.record(space, id),
    decision: signalKeys.decision(space, id),
    effect: signalKeys.effect(space, id, n),
    root: signalKeys.record(space, root),
  });
  if (!items.record || !items.decision || !items.effect || !items.root) return notices.sentAgain();
  const record = parseRecord(id, items.record);
  const effect = parseEffect(id, items.effect);
  const action = parseDecision(id, items.decision).actions[n]?.action;
  if (mayReadAgain(effect, codeOfEffect(effect), action?.tool)) return readAgain(context, record, tap);
  const isAsker = parseRecord(root, items.root).signal.sender.id === sender.id;
  // The question about a text to somebody else stands where it was asked for.
  const isHere = (action !== undefined && chatOf(action) === chat) || chatOf(record.signal.reply) === chat;
  if (action === undefined || !isHere || !sendsMessages(action.target) || !(sender.isApprover || isAsker))
    return notices.mayNotSendAgain();
  const isOpen = (effect.state === 'unknown' || effect.state === 'failed') && effect.resolution === undefined;
  if (!isOpen || effect.tries !== tries || !mayReopen(record)) return notices.sentAgain();
  if (!(await wasWritten(reopenEffect({ table, publish: publishPerceive, now }, record, effect))))
    return notices.sentAgain();
  return notices.sendingAgain(tap.message);
};

const openContext = async (deps: CodeDeps, record: SignalRecord): Promise<CodeContext> => {
  const { signal } = record;
  const isTick = signal.payload.sensor === 'heartbeat';
  const item = isTick ? undefined : await loadItem(deps.table, ownerSettingsKey(signal.space));
  const settings = readOwnerSettings(item);
  return { ...deps, record, signal, settings, language: languageOf(settings, signal.reply), now: deps.now() };
};

/** @throws UnavailableError (retryable), PipelineError (poison). */
export const answerByCode = async (deps: CodeDeps, record: SignalRecord): Promise<void> => {
  const context = await openContext(deps, record);
  const answer = await buildAnswer(context);
  if ('ending' in answer) return end(context, answer.ending, answer.because);
  if ('decision' in answer) return save(context, answer.decision);
  if ('call' in answer) return save(context, await decideCall(context, answer.call));
  // Only a card's text is withheld from exports: its evidence must say that it is one.
  const isCard = answer.notices.some(({ card }) => card !== undefined);
  return decide(context, 'act', isCard ? CARD_REASON : '', answer.notices, answer.seen);
};

/** Why a signal for the model never reaches it. */
export type Dropped = 'tooDeep' | 'mailboxFull' | 'newEvent' | 'connected' | 'manyKinds';

/** The gates would refuse the whole question for a secret in the words of an event. */
const shownWords = (text: readonly TextPiece[]): string => {
  const words = text.map((piece) => piece.text).join(' ');
  return holdsSecret(quoted(words), new Map()) ? LINE_LEFT_OUT : words;
};

const droppedNotice = ({ id, root, payload }: Signal, dropped: Dropped): Notice => {
  if (payload.sensor === 'webhook') {
    const { source, event, text } = payload;
    if (dropped === 'newEvent') return notices.newEvent(source, event, shownWords(text));
    if (dropped === 'connected') return notices.connected(source);
    if (dropped === 'manyKinds') return notices.manyKinds(source, KINDS_A_DAY_MAX);
  }
  return dropped === 'tooDeep' ? notices.tooDeep(root) : notices.mailboxFull(id);
};

/** Says that a signal never reaches the model. */
export const dropByCode = async (
  deps: CodeDeps,
  record: SignalRecord,
  reason: string,
  dropped: Dropped,
): Promise<void> => {
  const context = await openContext(deps, record);
  const { signal } = record;
  const decision = await buildNoticeDecision(context, signal, 'drop', reason, [droppedNotice(signal, dropped)]);
  return save(context, decision, DROPPED_BECAUSE[dropped]);
};

const DROPPED_BECAUSE: Readonly<Partial<Record<Dropped, EndedBecause>>> = {
  newEvent: { code: 'no-job' },
  manyKinds: { code: 'no-job' },
  connected: { code: 'connected' },
};

const buildAnswer = async (context: CodeContext): Promise<CodeAnswer> => {
  const { signal } = context;
  const { payload } = signal;
  switch (payload.sensor) {
    case 'command':
      return answerCommand(context, payload.name, payload.rest);
    case 'interrupt':
      return say(await stop(context));
    case 'resume':
      return say(...(await resume(context, payload.session)));
    case 'approval-decision':
      return say(await answerApproval(context, payload));
    case 'send-again':
      return say(await (payload.tries === CHOICE_TAP ? answerChoice : answerSendAgain)(context, payload));
    case 'over-quota':
      return say(notices.overQuota(payload.account, payload.limit, signal.sender.id, utcMinute(resetsAt(context.now))));
    case 'unpaired-chat':
      return say(notices.unpaired());
    case 'pairing':
      if (payload.outcome !== 'paired') return say(commandNotices.wrongCode());
      return say(
        isGroup(context.signal.reply) ? commandNotices.pairedGroup() : commandNotices.paired(mayBeHome(context)),
      );
    case 'chat-message': {
      const problem = unreadable(payload);
      return problem === undefined ? answerBareWord(context) : say(notices.unreadable(problem));
    }
    case 'heartbeat':
      return { ending: 'a tick needs no answer' };
    default:
      return (await findSensorHook(context.hooks, payload.sensor)?.(context)) ?? say();
  }
};

/** Its command is judged as a tap's is, which needs no card: the question said what it makes. */
const CHANGES_JOBS = 'jobs';

/** A yes or no without a card is the answer to a question, as every other choice is. */
const answerBareWord = async (context: CodeContext): Promise<CodeAnswer> => {
  const { table, signal, now } = context;
  const waiting = isBareAnswer(signal) ? await loadWaitingHere(table, signal, now) : [];
  if (waiting.length > 0) return say(approvalNotices.bareAnswer(waiting));
  const found = await findTypedChoice(table, signal, ownWords(signal));
  if (found === undefined) return say(approvalNotices.waitingHere('approve', []));
  const { choice, code, command } = found;
  // A choice that only shows something is answered at once.
  if (command !== undefined && command.name !== CHANGES_JOBS) return answerCommand(context, command.name, command.rest);
  if (command === undefined) await answerNo(context, found.payload, code);
  else if (!(await typeCommand(context, found, command))) return say(notices.answeredAlready());
  return say(notices.chosenByWords(choice));
};

/** A private chat, which makes its person an approver, if no chat is the home chat. */
const mayBeHome = ({ homeChat, signal: { reply } }: CodeContext): boolean =>
  homeChat === undefined && !isGroup(reply) && findChannel(reply.target)?.takesWordsOnly !== true;

const answerCommand = async (context: CodeContext, name: string, rest: string): Promise<CodeAnswer> => {
  const { table, signal, settings } = context;
  // Commands show more than a plain turn does: nothing that should be forgotten may be shown.
  const restore = await loadRestoreState(table, signal.space);
  if (restore !== undefined && isForgetting(restore))
    return say(notices.stillForgetting(describeForgetting(restore), restore.problem));
  // An answer to a command asks nobody first, so only an open group is shown memory.
  const answer = await answerOperation(context, name, rest, chatMemoryOf(signal.reply, settings) === 'open');
  if (answer !== undefined) return answer;
  if (!isCommandName(name)) {
    const shown = name.replace(/[^a-z0-9_-]/giu, '').slice(0, 32);
    return say(commandNotices.unknownCommand(shown, meantBy(context.features, shown)));
  }
  if (!reaches(standingOf(signal), RIGHTS[name])) return say(commandNotices.mayNotCommand(name, undefined));
  return COMMANDS[name](context, rest.trim(), name);
};

/**
 * Decides on the action of a command, or on one for each place that it sends a text to. Its author
 * is `owner`, which no model can claim; its origin says whether an owner typed it.
 */
const decideCall = async (context: CodeContext, call: CommandCall): Promise<Decision> => {
  const { gateSet, signal } = context;
  const { id: signalId, payload, reply, session } = signal;
  const name = payload.sensor === 'command' ? payload.name : '';
  const sources = await loadFacts(context, {
    reply,
    session,
    origin: commandOrigin(signal),
    sensor: payload.sensor,
    turn: { askedBy: askerOf(signal), isChosen: isChosenJob(signal) },
    chosenScope: await loadChosenScope(context, call),
  });
  const { tool, args, explanation = `asked for with the command /${name}` } = call;
  const messages = tool === sendMessage.name ? messagesOf(args, sources.state.places ?? new Map()) : [];
  const byOwner = { explanation, author: 'owner' } as const;
  const actions: readonly Action[] =
    messages.length === 0
      ? [{ target: 'tool', tool, args, ...byOwner }]
      : messages.map(({ text, place }) => typedTextTo(text, place, explanation, routesOf(sources)));
  const decision = await decideByCode(gateSet, { signalId, outcome: 'act', reason: '' }, actions, sources);
  return call.seen === undefined ? decision : { ...decision, seen: [...call.seen] };
};

/** Only the owner's own notes follow the scope that the conversation chose. */
const loadChosenScope = async ({ table, signal }: CodeContext, { tool }: CommandCall) =>
  tool === 'remember' && standingOf(signal) !== 'anyone' ? chosenScopeOf(await loadHead(table, signal)) : undefined;

const decide = async (
  context: CodeContext,
  outcome: Decision['outcome'],
  reason: string,
  list: readonly Notice[],
  seen: readonly SeenObject[] = [],
): Promise<void> => {
  if (list.length === 0) return end(context, 'there was nothing to do');
  const built = await buildNoticeDecision(context, context.signal, outcome, reason, list);
  return save(context, seen.length === 0 ? built : { ...built, seen: [...seen] });
};

const save = async (
  { table, publishAct, signal, record, settingsVersion }: CodeContext,
  built: Decision,
  because?: EndedBecause,
): Promise<void> => {
  const decision = await saveDecision(table, signal, madeUnder(built, settingsVersion));
  // Lists read why a signal was dropped without its decision.
  const why = decision.outcome === 'drop' ? { stateReason: decision.reason, ...defined({ because }) } : {};
  await advance(table, signal, ['perceived'], { set: { state: 'reasoned', ...why } });
  // A stop is confirmed at once, in a group beside its conversation's, where an action may run.
  const group = signal.payload.sensor === 'interrupt' ? `${signal.session}/stop` : signal.session;
  await publishAct(actMessage(signal, decision), `act:${record.round}`, group);
};

/** Ends a signal that asks for nothing. */
const end = async (
  { table, hooks, signal, now }: CodeContext,
  reason: string,
  because?: EndedBecause,
): Promise<void> => {
  await advance(table, signal, ['perceived'], endedAs(signal.space, 'dropped', now, reason, because));
  await tellEnded(hooks, { table, space: signal.space, now: () => now }, signal);
};
