/**
 * Perceive: the first stage. Moves a signal's record on, and sends the signal where it belongs:
 * code answers commands and reflexes at once, a question for the model waits for its session's
 * turn, a chain that is too deep ends visibly. Every repeat comes here too (sweep, redrive,
 * hand-over of a turn); it finds the record's state and only publishes again.
 */

import { defined } from '../../base/defined.ts';
import { PipelineError } from '../../base/errors.ts';
import { DEPTH_MAX, HISTORY_TURNS_MAX } from '../../base/limits.ts';
import { mayAnswerCode } from '../../judge/code-choices.ts';
import { noteConnected, noteEvent } from '../../ledger/event-kinds.ts';
import { actMessage, advance, endedAs, parseDecision } from '../../ledger/ledger.ts';
import type { EndedBecause, SessionHead, SignalRecord } from '../../ledger/record.ts';
import { enterTurn } from '../../ledger/session.ts';
import type { CodeDeps, PayloadOf } from '../../operations/code-context.ts';
import { takeEvent, tellBegun } from '../../operations/hooks.ts';
import type { PerceiveMessage, ReasonMessage } from '../../signal/messages.ts';
import type { Signal } from '../../signal/signal.ts';
import { routeOf, unreadable } from '../../signal/signal.ts';
import { signalKeys } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import type { Publish } from '../../store/queue.ts';
import { isPing } from '../../text/event-word.ts';
import { resumeSuspended } from '../suspended.ts';
import type { Dropped } from './answer-by-code.ts';
import { isBareAnswer, ownWords } from './bare-answer.ts';

export interface PerceiveDeps extends Omit<CodeDeps, 'gateSet' | 'memory'> {
  readonly publishReason: Publish<ReasonMessage>;
  /** Called only for what code answers: a question for the model needs no gates here. */
  readonly loadGateSet: () => Promise<CodeDeps['gateSet']>;
  /** The treatment of an event of a service that no job waits for (`EVENTS_WITHOUT_JOB`). */
  readonly eventsWithoutJob: 'ask' | 'record';
  /** Gives the same memory each time. */
  readonly loadMemory: () => Promise<CodeDeps['memory']>;
}

/** @throws UnavailableError (retryable), PipelineError (poison). */
export const perceive =
  (deps: PerceiveDeps) =>
  async ({ space, signalId: id }: PerceiveMessage): Promise<void> => {
    // 1. Move the record on. A repeat finds the state it was left in.
    const { record } = await advance(deps.table, { space, id }, ['received'], { set: { state: 'perceived' } });
    switch (record.state) {
      // 2. A new signal goes to code or to the model.
      case 'perceived':
        return start(deps, record);
      // 3. A repeat publishes the stored decision again.
      case 'reasoned':
        return republishDecision(deps, record);
      case 'suspended':
        return resume(deps, space, id);
      // 4. In any later state the signal has ended, and a repeat has nothing to add.
      default:
        return;
    }
  };

const start = async (deps: PerceiveDeps, found: SignalRecord): Promise<void> => {
  const record = found.album === undefined ? found : await (await loadLazy()).gatherAlbum(deps, found);
  const { payload } = record.signal;
  const corrected = record.corrects === undefined ? undefined : await (await loadLazy()).correct(deps.table, record);
  if (corrected !== undefined) return end(deps, record, corrected);
  await tellBegun(deps.hooks, deps, record.signal);
  // A run without words is a job of steps.
  const isForModel =
    routeOf(payload.sensor) === 'reason' && !(payload.sensor === 'job-due' && payload.text.length === 0);
  if (!isForModel || unreadable(payload) !== undefined || (await isMeantForCode(deps, record.signal)))
    return answer(deps, record);
  const jobs = await takeEvent(deps.hooks, deps, record.signal);
  if (jobs.length > 0)
    return end(deps, record, `handed to the job ${jobs.join(', ')}`, { code: 'jobs', jobs: [...jobs] });
  return payload.sensor === 'webhook' ? takeUnwanted(deps, record, payload) : askModel(deps, record);
};

/** An event that no job waits for. */
const takeUnwanted = async (
  deps: PerceiveDeps,
  record: SignalRecord,
  { source, event }: PayloadOf<'webhook'>,
): Promise<void> => {
  const { space, id } = record.signal;
  const kind = { space, source, event };
  if (isPing(event)) {
    const isFirst = await noteConnected(deps.table, id, kind);
    return isFirst ? drop(deps, record, SAYS_HELLO, 'connected') : end(deps, record, SAYS_HELLO, { code: 'connected' });
  }
  if (deps.eventsWithoutJob === 'ask') return askModel(deps, record);
  const fate = await noteEvent(deps.table, id, kind, deps.now());
  switch (fate) {
    case 'ask':
      return drop(deps, record, NO_JOB, 'newEvent');
    case 'many':
      return drop(deps, record, NO_JOB, 'manyKinds');
    case 'waits':
      return end(deps, record, `${NO_JOB}, until the open question about ${source} is answered`, { code: 'no-job' });
    case 'known':
      return end(deps, record, NO_JOB, { code: 'no-job' });
    default:
      return fate satisfies never;
  }
};

/**
 * The model knows no cards and no questions of code: after a bare yes it would propose the same
 * again.
 */
const isMeantForCode = async ({ table, now }: PerceiveDeps, signal: Signal): Promise<boolean> => {
  const words = ownWords(signal);
  const [mayBeYes, mayBeChoice] = [isBareAnswer(signal), mayAnswerCode(words)];
  if (!mayBeYes && !mayBeChoice) return false;
  const { loadWaitingHere, findTypedChoice } = await loadLazy();
  if (mayBeYes && (await loadWaitingHere(table, signal, now())).length > 0) return true;
  return mayBeChoice && (await findTypedChoice(table, signal, words)) !== undefined;
};

const NO_JOB = 'no job waits for it';
const SAYS_HELLO = 'it only says that the service is connected';

const end = async (
  { table, now }: PerceiveDeps,
  { signal }: SignalRecord,
  reason: string,
  because?: EndedBecause,
): Promise<void> => {
  await advance(table, signal, ['perceived'], endedAs(signal.space, 'dropped', now(), reason, because));
};

export const loadLazy = () => import('./lazy.ts');

/** Most signals are for the model: gates, memory and commands are loaded if code answers. */
const answer = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { answerByCode } = await loadLazy();
  return answerByCode(await loadCodeDeps(deps), record);
};

/** Takes the session's turn, or a place in its mailbox, and passes the signal on to Reason. */
const askModel = async (deps: PerceiveDeps, record: SignalRecord): Promise<void> => {
  const { signal, round } = record;
  const { payload } = signal;
  if (signal.depth > DEPTH_MAX) return drop(deps, record, `deeper than ${DEPTH_MAX} steps`, 'tooDeep');
  const decision = signalKeys.decision(signal.space, signal.id);
  const isDecided = async (): Promise<boolean> => (await loadItem(deps.table, decision)) !== undefined;
  const entry = await enterTurn(deps.table, signal, deps.now(), isDecided);
  switch (entry.kind) {
    case 'running': {
      // A message that comes meanwhile waits for no summary.
      const group = payload.sensor === 'session-summary' ? signal.id : signal.session;
      return deps.publishReason(reasonMessage(signal, entry.head), `reason:${round}`, group);
    }
    case 'waiting':
      return;
    case 'ended':
      await republishDecision(deps, record);
      return;
    case 'full':
      return drop(deps, record, 'too many messages were waiting', 'mailboxFull');
  }
};

/** A summary is shown the turns its signal names; all others the turns their session remembers. */
const reasonMessage = (
  { space, session, id, payload }: Signal,
  { recent = [], summary }: SessionHead,
): ReasonMessage => {
  const isSummary = payload.sensor === 'session-summary';
  const object = isSummary ? payload.summary : summary?.id;
  return {
    stage: 'reason',
    v: 1,
    space,
    session,
    signalId: id,
    recent: isSummary ? payload.turns : recent.slice(-HISTORY_TURNS_MAX),
    ...defined({ summary: object }),
  };
};

const drop = async (deps: PerceiveDeps, record: SignalRecord, reason: string, notice: Dropped): Promise<void> => {
  const { dropByCode } = await loadLazy();
  return dropByCode(await loadCodeDeps(deps), record, reason, notice);
};

const loadCodeDeps = async (deps: PerceiveDeps): Promise<CodeDeps> => ({
  ...deps,
  gateSet: await deps.loadGateSet(),
  memory: await deps.loadMemory(),
});

const republishDecision = async (deps: PerceiveDeps, { signal, round }: SignalRecord): Promise<void> => {
  const item = await loadItem(deps.table, signalKeys.decision(signal.space, signal.id));
  if (item === undefined) throw new PipelineError('the decision of a reasoned signal is missing', signal.id, false);
  await deps.publishAct(actMessage(signal, parseDecision(signal.id, item)), `act:${round}`);
};

const resume = async (deps: PerceiveDeps, space: string, id: string): Promise<void> => {
  return resumeSuspended({ ...deps, now: deps.now() }, space, id);
};
