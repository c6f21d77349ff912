/**
 * Loads all that Reason needs to know about a signal, at once: its record, what earlier deliveries
 * stored, the signals that led to it, the session's ended turns, settings, the day's spending, the
 * positions of memory and log. A second read only for messages that wait. Other servers, and
 * records of features, may be read some moments late, since Act judges by them again; and older
 * turns, unless words were erased in the last minutes.
 */

import { grantsInForce } from '../../approvals/grants.ts';
import { PipelineError } from '../../base/errors.ts';
import { ATTEMPTS_MAX, CONSENSUS_PROVIDERS_MAX } from '../../base/limits.ts';
import { toolAccess } from '../../gates/rules/access-table.ts';
import { policyTextOf } from '../../judge/policy-setting.ts';
import { describeRules } from '../../judge/rules-learned.ts';
import { isStoppedFor, readKillSwitch } from '../../ledger/kill-switch.ts';
import { isErasing } from '../../ledger/last-erasure.ts';
import { parseAttempt, parseDecision, parseRecord } from '../../ledger/ledger.ts';
import { chatMemoryOf, type OwnerSettings, readOwnerSettings } from '../../ledger/owner-settings.ts';
import type { SessionHead, SignalRecord } from '../../ledger/record.ts';
import { parseHead } from '../../ledger/session.ts';
import type { Tier } from '../../llm/provider-table.ts';
import { commitKeys, memoryKeys } from '../../memory/keys.ts';
import { memoryIdOf } from '../../memory/object.ts';
import { spendKey } from '../../money/day-spend.ts';
import { showTurnsToSummarise } from '../../prompt/history-section.ts';
import type { HistoryTurn, TurnStep } from '../../prompt/prompt-input.ts';
import { type Asker, askerOf, type ChatMemory, isOwnerSpeaking } from '../../signal/asker.ts';
import { READ_ATTACHMENT, showAttachment } from '../../signal/attachment.ts';
import { isGroup } from '../../signal/channels.ts';
import type { Attempt, Decision } from '../../signal/decision.ts';
import { chainOf, isRunId, OTHER_WORDS, rootOf } from '../../signal/ids.ts';
import { JobRun } from '../../signal/job-run.ts';
import type { ReasonMessage } from '../../signal/messages.ts';
import { type Picture, pictureIn, pictureWords } from '../../signal/picture.ts';
import { type ActionResult, joinOrigins, type Payload, type ReplyRoute, type TextPiece } from '../../signal/signal.ts';
import { jobKeys, logKeys, mcpKey, sessionKey, signalKeys } from '../../store/keys.ts';
import { loadNamed, loadRows, maybeStale } from '../../store/load-named.ts';
import { parseStored } from '../../store/parse-stored.ts';
import type { Item, Table } from '../../store/table.ts';
import type { TurnRecords } from '../../store/turn-records.ts';
import { type McpCatalogue, NO_MCP, readMcpCatalogue } from '../../tools/mcp-catalogue.ts';
import { remember } from '../../tools/remember.ts';
import { loadSettings } from '../load-settings.ts';
import { buildSpending, type Spending } from '../spending.ts';
import { FOR_CALLS, STANDING } from '../turn-records.ts';

/** The part of memory that a turn may know of. */
interface TurnMemory {
  /** Memory's head, if it has one. Unparsed: unreadable memory must not end a conversation. */
  readonly head: Item | undefined;
  /** Whether the chat that is answered may hear of memory. */
  readonly chat: ChatMemory;
  /** An earlier step of the turn was shown something of memory, or of another server. */
  readonly wasShown: boolean;
  /** Notes that this turn itself made: to see them again shows nothing of memory. */
  readonly ownNotes: ReadonlySet<string>;
  /** Ids of the notes that it made of outside words. */
  readonly outsideNotes: readonly string[];
}

/** The owner's word, as it was set. */
interface OwnersWord {
  /** Settings of identity and skills; undefined if they cannot be read. */
  readonly settings: OwnerSettings | undefined;
  /** The policy; empty if there is none. */
  readonly policyText: string;
  readonly grantsInForce: number;
  /** How many rules there are, and which were learned. */
  readonly rules: string;
}

/** The conversation around a turn. */
interface TurnSession {
  readonly head: SessionHead | undefined;
  readonly history: readonly HistoryTurn[];
  /** The summary of the turns before `history`, as `readSummary` takes it. */
  readonly summaryItem: Item | undefined;
  /** Its ledger events, oldest first, as codes. */
  readonly logs: readonly string[];
  readonly mailbox: readonly (readonly TextPiece[])[];
}

export interface LoadedTurn {
  readonly record: SignalRecord;
  readonly decision: Decision | undefined;
  readonly attempts: readonly Attempt[];
  /** The signal that began the turn. */
  readonly root: { readonly record: SignalRecord; readonly payload: Payload };
  /**
   * `isOn`: the kill switch is on, or was while the signal waited for a model. `at`: epoch
   * milliseconds of the last stop of the space, 0 for none.
   */
  readonly stop: { readonly isOn: boolean; readonly at: number };
  readonly asker: Asker;
  readonly steps: readonly TurnStep[];
  readonly session: TurnSession;
  readonly memory: TurnMemory;
  readonly owner: OwnersWord;
  /** The evidence log's head, if it has one. Unparsed, as memory's. */
  readonly logHead: Item | undefined;
  readonly mcp: McpCatalogue;
  readonly records: TurnRecords;
  /** Tier of the decision that led to this signal. */
  readonly tierBefore: Tier | undefined;
  /** Set if the turn is a run of a job. */
  readonly run: JobRun | undefined;
  /** As it was when the turn was loaded. */
  readonly spending: Spending;
}

/** The text of a payload as the model sees it. Results are a step of their own. */
export const piecesOf = (payload: Payload): readonly TextPiece[] => {
  switch (payload.sensor) {
    case 'chat-message':
      return payload.text.map(showAttachment);
    case 'webhook':
    case 'job-due':
    case 'run-prompt':
      return payload.text;
    case 'command':
      return [{ text: `/${payload.name} ${payload.rest}`.trim(), origin: 'outside' }];
    case 'loop-error':
      return [
        {
          text: `Working on this failed in stage ${payload.stage}: ${payload.message}. Say plainly what this means for the person; do not repeat what was already done.`,
          origin: 'agent',
        },
      ];
    default:
      return [];
  }
};

/** The owner's own words, which came as a recording. */
const isSpoken = ({ tool, state, origin }: ActionResult): boolean =>
  tool === READ_ATTACHMENT && state === 'done' && origin === 'owner';

const picturesOf = ({ tool, state, output }: ActionResult): readonly Picture[] =>
  tool === READ_ATTACHMENT && state === 'done' ? [pictureIn(output) ?? []].flat() : [];

/** The content of a picture is outside text. */
const picturePiece = (picture: Picture): TextPiece => ({
  text: `a picture that came with the message: ${pictureWords(picture)}`,
  origin: 'outside',
  label: 'picture',
});

const stepsOf = (record: SignalRecord | undefined, decision: Decision | undefined): readonly TurnStep[] => {
  if (record === undefined) return [];
  const { payload } = record.signal;
  const all = 'results' in payload ? payload.results : [];
  const pictures = all.flatMap(picturesOf);
  const results = all.filter((result) => !isSpoken(result) && picturesOf(result).length === 0);
  const pieces = [
    ...piecesOf(payload),
    ...all.filter(isSpoken).map(({ output: text, origin }) => ({ text, origin })),
    ...pictures.map(picturePiece),
  ];
  const { proposal, provider: by = '' } = decision?.attempt ?? {};
  const thoughts = proposal?.thoughts;
  // A text that was decided when its signal had failed for good was given to nobody.
  const isGiven = record.state !== 'dead-lettered' || record.replies !== undefined;
  const text = isGiven ? proposal?.text : undefined;
  return [
    ...(pieces.length > 0 ? [{ kind: 'input', pieces, ...(pictures.length > 0 && { pictures }) } as const] : []),
    ...(results.length > 0 ? [{ kind: 'results', results } as const] : []),
    ...(proposal === undefined || (text === undefined && proposal.calls.length === 0)
      ? []
      : [
          {
            kind: 'answer',
            text,
            calls: proposal.calls,
            ...(thoughts === undefined ? {} : { thoughts: { by, text: thoughts } }),
            origin: joinOrigins(decision?.actions.flatMap((judged) => judged.facts.map((facts) => facts.origin)) ?? []),
          } as const,
        ]),
  ];
};

/** In groups, answers to an approver may hold memory: others' turns see them in outline. */
const mayReadAnswers = (reply: ReplyRoute, asker: Asker, chatMemory: ChatMemory): boolean =>
  !isGroup(reply) || (isOwnerSpeaking(asker) && chatMemory !== 'ask');

const historyOf = (record: SignalRecord, mayRead: boolean): HistoryTurn => ({
  user: piecesOf(record.signal.payload),
  agent: (record.replies ?? []).map((answer) => (mayRead ? answer : { ...answer, origin: 'outside' })),
  tools: record.toolCalls ?? [],
});

/** @throws PipelineError (poison) if the signal is not stored */
export const loadTurn = async (
  table: Pick<Table, 'load' | 'query'>,
  message: ReasonMessage,
  now: number,
): Promise<LoadedTurn> => {
  const { space, session, signalId: id } = message;
  const items = await loadItems(table, message, now);
  if (items.record === undefined) throw new PipelineError(`there is no signal ${id}`, id, false);
  const record = parseRecord(id, items.record);
  const before = parseAncestors(id, items.chainRecords, items.chainDecisions);
  const decisionsBefore = before.flatMap((one) => one.decision ?? []);
  const head = items.head && parseHead(session, items.head);
  const ended = recentOf(message)
    .flatMap((root, index) => parseIfStored(root, items.past[index]))
    .filter(
      ({ signal }) => [session, head?.movedFrom].includes(signal.session) && isNamed(record.signal.payload, signal.id),
    );
  const root = before[0];
  const rootRecord = root?.record ?? record;
  // A root that is gone counts as nobody's.
  const asker = root !== undefined && root.record === undefined ? 'system' : askerOf(rootRecord.signal);
  const settings = readOwnerSettings(items.owner);
  const { reply } = record.signal;
  const chatMemory = chatMemoryOf(reply, settings);
  const mayRead = mayReadAnswers(reply, asker, chatMemory);
  const run = items.run && parseStored(items.run, JobRun);
  const ownNotes = new Set(decisionsBefore.flatMap((one) => notesMadeBy(space, one)));
  const killSwitch = readKillSwitch(items.killSwitch);
  const attempts = readAttempts(space, id, items.own);
  const ofSpending = { item: items.spend, head, ancestors: decisionsBefore, attempts, run };
  return forSummary({
    record,
    decision: items.decision && parseDecision(id, items.decision),
    attempts,
    root: { record: rootRecord, payload: rootRecord.signal.payload },
    stop: {
      isOn: isStoppedFor(killSwitch, record.modelWait?.since ?? Number.POSITIVE_INFINITY),
      at: killSwitch?.stoppedAt ?? 0,
    },
    asker,
    steps: [
      ...before.slice(firstShown(id)).flatMap((one) => stepsOf(one.record, one.decision)),
      ...stepsOf(record, undefined),
    ],
    session: {
      head,
      history: ended.map((one) => historyOf(one, mayRead)),
      summaryItem: items.summary,
      logs: ended.map(({ signal, state }) => `${signal.id} ${state}`),
      mailbox: await loadMailbox(table, space, head?.mailbox ?? [], asker),
    },
    memory: {
      head: items.memory,
      chat: chatMemory,
      wasShown:
        [record, ...before.flatMap((one) => one.record ?? [])].some(hasPrivateResults) ||
        decisionsBefore.some(({ seen = [] }) => seen.some((note) => !ownNotes.has(note.id))),
      ownNotes,
      outsideNotes: [...before.flatMap((one) => one.record ?? []), record].flatMap((one) => outsideNotesIn(space, one)),
    },
    owner: {
      settings,
      policyText: policyTextOf(items.policy),
      grantsInForce: grantsInForce(items.owner, now),
      rules: describeRules(policyTextOf(items.policy), items.owner, now),
    },
    logHead: items.log,
    mcp: readMcpCatalogue(items.mcp),
    records: {
      ...(isAlone(record.signal.payload) ? {} : FOR_CALLS.read(items.records)),
      ...STANDING.read(items.standing),
    },
    tierBefore: before.at(-1)?.decision?.attempt?.tier,
    run,
    spending: buildSpending(record.signal, rootRecord.signal, ofSpending),
  });
};

/** Index of the turn's first signal whose words are shown: others stand in for earlier ones. */
const firstShown = (id: string): number =>
  Math.max(
    0,
    chainOf(id).findLastIndex((one) => one.endsWith(`/${OTHER_WORDS}`)),
  );

/** The signals that led to this one, the root first. */
const ancestorsOf = (id: string): readonly string[] => chainOf(id).slice(0, -1);

const recentOf = ({ recent, signalId }: ReasonMessage): readonly string[] =>
  recent.filter((root) => root !== chainOf(signalId)[0]);

/** Rows of a signal that Reason reads: its attempts, decision and record. */
const OWN_ROWS = ['attempt#', 'record'] as const;

/** Their last words may have been stored this moment. Older turns are read at half the price. */
const NEWEST_TURNS = 2;

const loadItems = async (table: Pick<Table, 'load' | 'query'>, message: ReasonMessage, now: number) => {
  const { space, session, signalId: id, summary } = message;
  const recordKey = (one: string) => signalKeys.record(space, one);
  const past = recentOf(message).map(recordKey);
  const older = past.slice(0, -NEWEST_TURNS);
  const [own, settings, items, late] = await Promise.all([
    loadRows(table, signalKeys.partition(space, id), OWN_ROWS),
    loadSettings(table, space),
    loadNamed(table, {
      head: sessionKey(space, session),
      chainRecords: ancestorsOf(id).map(recordKey),
      chainDecisions: ancestorsOf(id).map((ancestor) => signalKeys.decision(space, ancestor)),
      newest: past.slice(-NEWEST_TURNS),
      summary: summary === undefined ? undefined : memoryKeys.object(space, summary),
      spend: spendKey(space, now),
      memory: commitKeys.head(space),
      run: isRunId(id) ? jobKeys.occurrence(space, rootOf(id)) : undefined,
    }),
    loadNamed(maybeStale(table), {
      log: logKeys.head(space),
      mcp: mcpKey(space),
      records: FOR_CALLS.keys(space),
      standing: STANDING.keys(space),
      older,
    }),
  ]);
  // Words that were forgotten a moment ago are in no prompt.
  const ended = isErasing(settings.lastErasure, now) ? await table.load(older, { isConsistent: true }) : late.older;
  return {
    ...settings,
    ...late,
    ...items,
    past: [...ended, ...items.newest],
    own,
    record: own.get(signalKeys.record(space, id).sk),
    decision: own.get(signalKeys.decision(space, id).sk),
  };
};

const parseIfStored = (id: string, item: Item | undefined): readonly SignalRecord[] =>
  item === undefined ? [] : [parseRecord(id, item)];

const parseAncestors = (id: string, records: readonly (Item | undefined)[], decisions: readonly (Item | undefined)[]) =>
  ancestorsOf(id).map((ancestor, index) => {
    const decision = decisions[index];
    return {
      record: parseIfStored(ancestor, records[index])[0],
      decision: decision && parseDecision(ancestor, decision),
    };
  });

/**
 * A turn that asks for a summary is shown the turns to summarise as one text, and nothing else. It
 * has no step if these turns hold nobody's own words. A question of a runbook is shown alone too.
 */
const forSummary = (turn: LoadedTurn): LoadedTurn => {
  const { payload } = turn.record.signal;
  if (payload.sensor !== 'run-prompt' && payload.sensor !== 'session-summary') return turn;
  // Nothing of other turns, and no tool of another server.
  const alone = { ...turn, mcp: NO_MCP, session: { ...turn.session, history: [], logs: [], mailbox: [] } };
  // A runbook's question is all that the model sees, and no memory is looked into.
  if (payload.sensor === 'run-prompt')
    return {
      ...alone,
      steps: [{ kind: 'input', pieces: payload.text }],
      session: { ...alone.session, summaryItem: undefined },
      memory: { ...turn.memory, head: undefined },
    };
  const pieces = showTurnsToSummarise(turn.session.history);
  return { ...alone, steps: pieces.length === 0 ? [] : [{ kind: 'input', pieces }] };
};

/** Nor one that needs a record: such a turn calls no tool. */
const isAlone = ({ sensor }: Payload): boolean => sensor === 'run-prompt' || sensor === 'session-summary';

/** A message may be altered on its way: a summary covers only the turns its signal names. */
const isNamed = (payload: Payload, root: string): boolean =>
  payload.sensor !== 'session-summary' || payload.turns.includes(root);

/** Ids of the notes that the calls of `remember` of a decision make, if they are done. */
const notesMadeBy = (space: string, { signalId, actions }: Decision): readonly string[] =>
  actions.flatMap(({ action }, n) => (action.tool === remember.name ? [memoryIdOf(`${space}/${signalId}#${n}`)] : []));

/** Those that results of `remember` name, if outside words were among what they were made of. */
export const outsideNotesIn = (space: string, { signal: { id, payload } }: SignalRecord): readonly string[] =>
  ('results' in payload ? payload.results : [])
    .filter(({ tool, state, origin }) => tool === remember.name && state === 'done' && origin === 'outside')
    .map(({ n }) => memoryIdOf(`${space}/${chainOf(id).at(-2)}#${n}`));

/** Whether it holds outputs of tools that read memory, or another server. */
const hasPrivateResults = ({ signal: { payload } }: SignalRecord): boolean =>
  'results' in payload && payload.results.some(({ tool = '' }) => toolAccess(tool)?.where === 'named');

/** Own attempts by their number, then second opinions. */
const readAttempts = (space: string, id: string, own: ReadonlyMap<string, Item>): readonly Attempt[] =>
  Array.from({ length: ATTEMPTS_MAX + CONSENSUS_PROVIDERS_MAX - 1 }, (_, index) =>
    own.get(signalKeys.attempt(space, id, index + 1).sk),
  ).flatMap((item) => (item === undefined ? [] : [parseAttempt(id, item)]));

const loadMailbox = async (
  table: Pick<Table, 'load'>,
  space: string,
  ids: readonly string[],
  asker: Asker,
): Promise<readonly (readonly TextPiece[])[]> => {
  const items = await table.load(
    ids.map((id) => signalKeys.record(space, id)),
    { isConsistent: true },
  );
  return items.flatMap((item, index) => {
    const signal = item === undefined ? undefined : parseRecord(ids[index] ?? '', item).signal;
    // The owner's turn may read more than a member's: a member's words never steer it.
    if (signal === undefined || (isOwnerSpeaking(asker) && askerOf(signal) === 'member')) return [];
    const pieces = piecesOf(signal.payload);
    // A summary that waits has no words.
    return pieces.length === 0 ? [] : [pieces];
  });
};

/** Memory is read only in turns the owner began, in chats that are named for it. */
export const mayReadMemory = ({ asker, memory }: Pick<LoadedTurn, 'asker' | 'memory'>): boolean =>
  isOwnerSpeaking(asker) && memory.chat !== 'closed';
