/**
 * What must happen at least once in a long run, so that a run without a broken promise means
 * something: every kind of fault, every end of a signal and an effect, every way of recovery.
 * Probes are patches that report when a line of the product is reached.
 */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: probes are text of the product.
import type { Patch } from './bundle.ts';
import { FAULT_KINDS } from './world/world.ts';

interface Probe {
  readonly what: string;
  readonly patch: Patch;
}

const report = (what: string): string => `globalThis.reached?.(${JSON.stringify(what)})`;

/** Reports before a statement. */
const at = (what: string, file: string, statement: string): Probe => ({
  what,
  patch: { file: `lib/${file}`, find: statement, put: `${report(what)};\n${statement}` },
});

/** Reports before a statement, if an expression holds there. */
const atIf = (what: string, file: string, holds: string, statement: string): Probe => ({
  what,
  patch: { file: `lib/${file}`, find: statement, put: `if (${holds}) ${report(what)};\n${statement}` },
});

/** Reports if a condition holds that is written so in the code. */
const when = (what: string, file: string, condition: string, rest: string): Probe => ({
  what,
  patch: {
    file: `lib/${file}`,
    find: `if (${condition})${rest}`,
    put: `if ((${condition}) && (${report(what)}, true))${rest}`,
  },
});

/** Reports if a conditional write was not done. @param rest beginning of the arguments */
const unwritten = (what: string, file: string, call: string, rest: string): Probe => ({
  what,
  patch: {
    file: `lib/${file}`,
    find: `await ${call}(${rest}`,
    put: `await ((...args) => ${call}(...args).then((is) => (is || ${report(what)}, is)))(${rest}`,
  },
});

const STORE: readonly Probe[] = [
  when('a write recognises itself after a lost answer', 'core/store/table.ts', 'own !== undefined', ' return own;'),
  when(
    'keys that a batch read left out are asked for again',
    'core/store/table.ts',
    'left.length > 0',
    ' await pause(',
  ),
  when(
    'the table does not answer, whatever its client tries',
    'core/store/classify-store-error.ts',
    'isTransientAwsError(error)',
    '\n    return new UnavailableError(',
  ),
  at(
    'a transaction is cancelled for others',
    'core/store/classify-store-error.ts',
    'return codes.some((code) => RACE_REASONS.has(code))',
  ),
  atIf(
    'a queue does not answer',
    'core/store/queue.ts',
    'isTransientAwsError(error)',
    'throw isTransientAwsError(error)',
  ),
];

const TURNS: readonly Probe[] = [
  at('a signal is found accepted before', 'core/ledger/accept.ts', 'const { state, round } = record;'),
  when(
    'a signal that was accepted is published again',
    'core/ledger/accept.ts',
    "state === 'received'",
    ' await deps.publish(',
  ),
  at(
    'a turn is held by another: the message waits',
    'core/ledger/session.ts',
    'if (await updateIf(table, key, { append: { mailbox: [signal.id] } }, mayWait(signal)))',
  ),
  when(
    'a message waits already',
    'core/ledger/session.ts',
    'head.mailbox?.includes(signal.id) === true',
    " return { kind: 'waiting' };",
  ),
  when(
    'a turn is found handed on',
    'core/ledger/session.ts',
    '!isHeld && !isStillDue(seen, ending)',
    ' return undefined;',
  ),
  at(
    'a message comes while the turn before ends',
    'core/ledger/session.ts',
    'seen = parseHead(signal.session, error.current);',
  ),
  when(
    'a turn is handed to the next message',
    'core/stages/act/finish.ts',
    'next !== undefined',
    ' await deps.publishPerceive(',
  ),
  at(
    'a stored decision is published again',
    'core/stages/perceive/perceive.ts',
    'return republishDecision(deps, record);',
  ),
  at('a suspended signal is taken up again', 'core/stages/perceive/perceive.ts', 'return resume(deps, space, id);'),
  atIf(
    'Reason finds the decision of an earlier delivery',
    'core/stages/reason/reason.ts',
    'turn.decision !== undefined',
    'const decided = turn.decision ??',
  ),
  atIf(
    'Reason finds rejected attempts and does not pay again',
    'core/stages/reason/reason.ts',
    'rejected.length > 0',
    'for (let n = rejected.length + 1;',
  ),
  when(
    'a stop ends a question to the model',
    'core/stages/reason/refuse.ts',
    'turn.stop.isOn',
    ' return refuseStopped(',
  ),
  at(
    'no model answers, and the signal waits',
    'core/stages/reason/publish-wait.ts',
    'const wait = await saveWait(deps, turn, next);',
  ),
  atIf(
    'a model is asked again after a wait',
    'core/stages/reason/reason.ts',
    'message.retry !== undefined',
    'checkDue(message, given.now());',
  ),
  atIf(
    'the wait for a model ends without one',
    'core/stages/reason/attempt.ts',
    'away === undefined',
    "return away ?? { kind: 'refused'",
  ),
];

const FILES: readonly Probe[] = [
  atIf(
    'messages of an album become one',
    'core/stages/perceive/gather-album.ts',
    'members.length > 1',
    'const taken = members.filter(',
  ),
  at('a file is fetched', 'features/documents/read-attachment.ts', 'const bytes = await fetchFile('),
  at('a picture is kept', 'features/documents/read-attachment.ts', 'return { output: pictureWords('),
  atIf(
    'a model is shown a picture',
    'core/stages/reason/load-pictures.ts',
    'bytes !== undefined',
    'if (bytes !== undefined) data.set(',
  ),
  at('a recording is written down', 'features/voice/transcribe.ts', 'const file = await toFile(bytes, name);'),
];

const EFFECTS: readonly Probe[] = [
  when(
    'a settled effect is found again',
    'core/stages/act/perform.ts',
    'effect !== undefined && isSettled(effect, task)',
    ' return standing(',
  ),
  at('another delivery holds the claim', 'core/stages/act/perform.ts', 'throw waitsSince(effect) === undefined'),
  when(
    'a claim is lost to another delivery',
    'core/stages/act/perform.ts',
    '!(await claimEffect(table, signal, row, how))',
    " return 'taken-by-another';",
  ),
  at('a lapsed claim becomes unknown', 'core/stages/act/perform.ts', "const reason = 'the process ended while sending"),
  when(
    'a lapsed or returned claim is taken again',
    'core/stages/act/perform.ts',
    'isRepeatable || effect.isReleased === true',
    ' {',
  ),
  when(
    'a claim whose answer was lost is given back',
    'core/stages/act/perform.ts',
    'error instanceof UnavailableError',
    '\n      await settleEffect(',
  ),
  at(
    'a stop is seen after the claim',
    'core/stages/act/perform.ts',
    "const settlement = endTry('refused', taken.reason",
  ),
  atIf(
    'a card is made again after a crash',
    'core/stages/act/perform.ts',
    'isCardMissing',
    'return {\n    ...ended(effect),\n    asked: isCardMissing',
  ),
  at(
    'a suspended action is refused after its yes',
    'core/stages/act/perform.ts',
    'const { approvalId: _named, ...rest } = effect;',
  ),
  at('a settlement is repeated in an outage', 'core/stages/act/claim.ts', 'await sleep(waitMs);'),
  unwritten(
    'a settlement finds that its claim has ended',
    'core/stages/act/claim.ts',
    'wasWritten',
    'saveAfterOutage(',
  ),
  at('a claim is given back for another try', 'core/stages/act/claim.ts', 'await settle({ ...giveBack(!inDoubt),'),
  when('an effect fails after its last try', 'core/stages/act/claim.ts', 'row.tries >= RECEIVE_COUNT_MAX', '\n'),
  at(
    'a text waits for its channel',
    'core/stages/act/claim.ts',
    'await postponeSweep(deps.table, signal, wait.leaseUntil);',
  ),
  atIf(
    'a long text goes on behind the messages that were sent',
    'features/telegram/deliver.ts',
    'sentIds.length > 0',
    'const messageIds = [...sentIds];',
  ),
  atIf(
    'a text that waited for its channel ends',
    'core/stages/act/claim.ts',
    'isMarked',
    'const gone = [...(isMarked ?',
  ),
  at('somebody is told that a text may be lost', 'core/stages/act/afters/doubt.ts', 'const problem = effect.state ==='),
];

const CONSENT: readonly Probe[] = [
  when('an approval is spent in the transaction of its claim', 'core/stages/act/claim.ts', "kind === 'spend'", '\n'),
  at('an approval is denied', 'core/stages/perceive/answer-approval.ts', 'await noteDenial('),
  when(
    'a decision on an approval is repeated',
    'core/approvals/approval.ts',
    'approval.state === wanted && approval.decidedBy === signal.id',
    ' return',
  ),
  when('a second tap comes too late', 'core/approvals/approval.ts', "approval.state !== 'pending'", ' return'),
  when('a yes comes after the hour', 'core/approvals/approval.ts', 'now >= approval.expiresAtMs', ' return'),
  when('a yes comes during a stop', 'core/approvals/approval.ts', "wanted === 'approved' && isStopped", ' return'),
  when('a use of a grant is spent', 'core/stages/act/claim.ts', "kind === 'grant'", '\n'),
  at(
    'the bounds of a grant are shown',
    'core/stages/perceive/answer-approval.ts',
    "if (card !== undefined && decision === 'show-similar')",
  ),
  at('a grant has ended', 'core/approvals/grants.ts', 'const ids = ended.map(({ id }) => id);'),
  at('an approval is ended by time', 'core/stages/upkeep/expire-approvals.ts', 'await tellExpired(deps, settled);'),
  atIf(
    'the end of an approval is finished after a crash',
    'core/stages/upkeep/expire-approvals.ts',
    "approval.state === 'expired'",
    'const settled = isToEnd',
  ),
  at('a resume finds a newer stop, or itself', 'core/ledger/kill-switch.ts', "return 'outdated';"),
];

const UPKEEP: readonly Probe[] = [
  at(
    'the sweep publishes a signal again',
    'core/stages/upkeep/sweep.ts',
    'await deps.publishPerceive(perceiveMessage(signal), `perceive:',
  ),
  when('two sweeps meet', 'core/stages/upkeep/sweep.ts', '!isFirst', " return 'nothing';"),
  at(
    'the sweep passes a turn on',
    'core/stages/upkeep/sweep.ts',
    'const next = await leaveTurn(deps.table, { ...waiting, root: head.turn }, head);',
  ),
  at(
    'a dead letter is stored',
    'core/stages/upkeep/dead-letter.ts',
    'if (named === undefined || named.space !== deps.space) return;',
  ),
  at(
    'somebody is told that a message failed for good',
    'core/stages/upkeep/dead-letter.ts',
    'const notice = await saveNotice(deps.table',
  ),
  when(
    'a failed message’s change of memory is taken back',
    'core/stages/upkeep/dead-letter.ts',
    'undo !== undefined',
    ' await deps.publishPerceive(',
  ),
];

const RECORDS: readonly Probe[] = [
  at('a failed call is settled', 'core/stages/reason/ask-model.ts', 'const cost = failedCost(providers'),
  at(
    'a reservation is planned anew after a race',
    'core/money/reserve.ts',
    "item = itemAfterLostRace(error);\n      // The conversation's",
  ),
  atIf(
    'a reservation releases entries of other conversations',
    'core/money/plan-reservation.ts',
    'isReleasing',
    "return {\n    kind: 'fits',",
  ),
  at('a commit of memory is planned anew after a race', 'core/memory/write.ts', 'deps.onConflict();'),
  when(
    'a commit of memory finds that it was made',
    'core/memory/write.ts',
    'done !== undefined',
    " return { state: 'repeated'",
  ),
  when(
    'two writers of the log meet',
    'core/log/write-log.ts',
    'error instanceof ConditionError',
    " throw new ContendedError('the log', 1",
  ),
  unwritten('a signal changes while the log takes it in', 'core/log/write-log.ts', 'updateIf', '\n      table,'),
  atIf(
    'the log goes on where a run died',
    'core/log/write-log.ts',
    'leaves.length === 0 && signals.some(({ record }) => record.awaitsLog)',
    'const isCheckpointDue = isLast',
  ),
];

const WAYS: readonly Probe[] = [...STORE, ...TURNS, ...FILES, ...EFFECTS, ...CONSENT, ...UPKEEP, ...RECORDS];

/** Reports the row of each failure. */
const FAILURE_ROWS: Patch = {
  file: 'lib/core/ledger/recover-failure.ts',
  find: 'const { step } = FAILURES[failureOf(error)];',
  put: 'const { step } = FAILURES[failureOf(error)]; globalThis.reached?.(`failure: ${failureOf(error)}`);',
};

export const PROBES: readonly Patch[] = [...WAYS.map(({ patch }) => patch), FAILURE_ROWS];

/** Rows of the table of failures that faults alone lead to. The others need a fault in the code. */
const FAILURES: readonly string[] = ['later', 'unavailable', 'race'];

const LOGGED: readonly string[] = [
  'message-retried',
  'message-left',
  'message-buried',
  'provider-failed',
  'update-not-stored',
  'webhook-not-accepted',
  'log-written',
];

/** Ends as the evidence export has them. */
const ENDS: readonly string[] = [
  ...['done', 'failed', 'refused', 'unknown'].map((state) => `effect ${state}`),
  ...['spent', 'denied', 'expired'].map((state) => `approval ${state}`),
  ...['act', 'refuse'].map((outcome) => `decision ${outcome}`),
  'signal dead-lettered',
];

const EXPECTED: readonly string[] = [
  ...FAULT_KINDS.map((kind) => `fault: ${kind}`),
  ...LOGGED.map((event) => `log: ${event}`),
  ...FAILURES.map((row) => `failure: ${row}`),
  ...ENDS.map((end) => `end: ${end}`),
  ...WAYS.map(({ what }) => what),
];

/** Marks how everything in an export ended. */
export const markEnds = (exported: string, mark: (what: string) => void): void => {
  for (const line of exported.split('\n')) {
    if (!line.includes('"type":"record"')) continue;
    const { kind, id, fixed } = JSON.parse(line);
    mark(`end: ${kind} ${fixed.state ?? fixed.outcome}`);
    if (kind === 'decision' && id.endsWith('/broken')) mark('end: signal dead-lettered');
  }
};

/** Happen once in some thousand schedules. */
const RARE: ReadonlySet<string> = new Set([
  'a settlement finds that its claim has ended',
  'the end of an approval is finished after a crash',
  'the sweep passes a turn on',
  'a failed message’s change of memory is taken back',
]);
/** Schedules after which all must have happened, and after which what is rare must have, too. */
const SCHEDULES_FOR_ALL = 2_000;
const SCHEDULES_FOR_RARE = 50_000;

/** @param marks how often each thing happened @returns what should have happened in so many runs */
export const unreached = (marks: ReadonlyMap<string, number>, schedules: number): readonly string[] => {
  const leastOf = (what: string): number => (RARE.has(what) ? SCHEDULES_FOR_RARE : SCHEDULES_FOR_ALL);
  return EXPECTED.filter((what) => schedules >= leastOf(what) && !marks.has(what));
};
