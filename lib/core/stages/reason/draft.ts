/**
 * Streaming, Reason's side: hears an answer as it comes, and stores the part that may be shown
 * already as chunks. Reason shows nothing itself (I2). A chunk's text and all text before it pass
 * every gate unchanged, and no continuation can make it part of a secret (`hold-back.ts`). Chunks
 * lie beside the answered signal, so that forgetting its turn finds them. Any failure here ends the
 * draft and never the turn.
 */

import { HOUR_MS, SECOND_MS } from '../../base/limits.ts';
import { buildHoldBack, type HoldBack } from '../../gates/rules/hold-back.ts';
import { packTrace } from '../../ledger/ledger.ts';
import type { Hear } from '../../llm/chat.ts';
import { textSoFar } from '../../llm/parse-proposal.ts';
import { type Action, actionHash, replyAction } from '../../signal/action.ts';
import { findChannel, isPrivateChat, sendsMessages } from '../../signal/channels.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import type { DraftMessage } from '../../signal/messages.ts';
import type { Origin, ReplyRoute, Sensor, Signal } from '../../signal/signal.ts';
import { IS_NEW } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';

/** A shorter answer is not streamed; each later chunk adds at least so much. */
export const DRAFT_FIRST_CHARS_MIN = 80;
const DRAFT_DELTA_CHARS_MIN = 24;
/** An answer that ends so soon after its first word is not streamed: each chunk is a write. */
const DRAFT_AFTER_MS = 150;
/** Time between two chunks, and between two looks for one: people read 25 characters a second. */
export const DRAFT_INTERVAL_MS = 400;
const DRAFT_LOOK_MS = 40;
/** Half a minute of chunks; the rest comes with the answer. */
export const DRAFT_CHUNKS_MAX = 80;
/** A draft is useless soon after its answer; the table deletes it a day or two later. */
const DRAFT_TTL_MS = HOUR_MS;
/** Telegram takes about one message a second in a chat. */
export const DRAFT_SHOW_INTERVAL_MS = SECOND_MS;

export interface DraftDeps {
  readonly table: Pick<Table, 'put'>;
  /** Asks Act to show what is stored. */
  readonly publish: Publish<DraftMessage>;
  readonly now: () => number;
  /** Called when a part of the answer can be seen. */
  readonly onShown?: (() => void) | undefined;
}

export interface DraftSubject {
  readonly signal: Signal;
  /** Sensor of the signal that began the turn. */
  readonly rootSensor: Sensor;
  readonly attempt: number;
  /** Worst origin in the prompt. */
  readonly origin: Origin;
  /** The owner's policy; empty for none. */
  readonly policyText: string;
  readonly secrets: ReadonlyMap<string, string>;
  readonly privacyTags: readonly string[];
  readonly gateSetVersion: string;
  readonly judge: (action: Action) => Promise<JudgedAction>;
}

export interface Draft {
  readonly hear: Hear;
  /** Stops, and waits for a chunk that is being stored. Never rejects. */
  readonly end: () => Promise<void>;
}

const RESULT_SENSORS: readonly Sensor[] = ['tool-output', 'tool-error'];

const isPersons = (sensor: Sensor, rootSensor: Sensor): boolean =>
  rootSensor === 'chat-message' && (sensor === rootSensor || RESULT_SENSORS.includes(sensor));

/** Groups show no drafts. */
const canShowDrafts = (reply: ReplyRoute): boolean =>
  isPrivateChat(reply) || findChannel(reply.target)?.sendsMessages === false;

/** A policy that reads texts may judge the whole otherwise than a part. */
const READS_TEXT = /\btext\b|\\/;

/** Only first attempts to answer a person, made from nothing untrusted, are streamed. Pure. */
export const mayStream = ({ signal, rootSensor, attempt, origin, policyText }: DraftSubject): boolean =>
  attempt === 1 &&
  origin !== 'outside' &&
  isPersons(signal.payload.sensor, rootSensor) &&
  canShowDrafts(signal.reply) &&
  !READS_TEXT.test(policyText);

interface DraftState {
  readonly deps: DraftDeps;
  readonly subject: DraftSubject;
  readonly holdBack: () => HoldBack;
  heard: string;
  shown: string;
  /** Number of the next chunk. */
  n: number;
  nextAt: number;
  nextShowAt: number;
  isClosed: boolean;
  busy: Promise<void> | undefined;
}

/** @returns undefined if this answer is not to be streamed */
export const openDraft = (deps: DraftDeps, subject: DraftSubject): Draft | undefined => {
  if (!mayStream(subject)) return undefined;
  let holdBack: HoldBack | undefined;
  const draft: DraftState = {
    deps,
    subject,
    // Built for the first chunk: most answers have none.
    holdBack: () => (holdBack ??= buildHoldBack(subject.secrets, subject.privacyTags)),
    heard: '',
    shown: '',
    n: 0,
    nextAt: 0,
    nextShowAt: 0,
    isClosed: false,
    busy: undefined,
  };
  return {
    hear: (heard) => hear(draft, heard),
    end: async () => {
      draft.isClosed = true;
      await draft.busy;
    },
  };
};

const hear = (draft: DraftState, { text, hasCalls }: Parameters<Hear>[0]): void => {
  const { now } = draft.deps;
  draft.isClosed ||= hasCalls;
  if (draft.heard === '') draft.nextAt = now() + DRAFT_AFTER_MS;
  draft.heard = text;
  if (draft.isClosed || draft.busy !== undefined || now() < draft.nextAt) return;
  draft.busy = release(draft)
    .catch(() => {
      draft.isClosed = true;
    })
    .finally(() => {
      draft.busy = undefined;
    });
};

/** Stores the next chunk, if there is enough text for one. */
const release = async (draft: DraftState): Promise<void> => {
  const { deps, shown } = draft;
  const text = textSoFar(draft.heard);
  draft.nextAt = deps.now() + DRAFT_LOOK_MS;
  if (text === undefined && shown === '') return;
  if (text === undefined || !text.startsWith(shown)) {
    draft.isClosed = true;
    return;
  }
  const charsMin = shown.length + (draft.n === 0 ? DRAFT_FIRST_CHARS_MIN : DRAFT_DELTA_CHARS_MIN);
  if (text.length < charsMin) return;
  const prefix = text.slice(0, draft.holdBack()(text));
  if (prefix.length < charsMin) return;
  const judged = (await judgeText(draft, text)) && (await judgeText(draft, prefix));
  if (judged === undefined || draft.isClosed) return;
  const now = deps.now();
  await saveChunk(draft, prefix, judged, now);
  await askToShow(draft, now);
  deps.onShown?.();
  draft.shown = prefix;
  draft.n += 1;
  draft.nextAt = now + DRAFT_INTERVAL_MS;
  draft.isClosed ||= draft.n >= DRAFT_CHUNKS_MAX;
};

/** @returns undefined unless the text passes every gate unchanged */
const judgeText = async (draft: DraftState, text: string): Promise<JudgedAction | undefined> => {
  const { judge, signal } = draft.subject;
  const action = replyAction(text, signal.reply);
  const judged = await judge(action);
  // Later text cannot lift a block, and judging a long text is slow, so it is not judged again.
  draft.isClosed ||= judged.outcome === 'block';
  return judged.outcome === 'pass' && judged.hash === actionHash(action) ? judged : undefined;
};

const saveChunk = async (
  { deps, subject, shown, n }: DraftState,
  prefix: string,
  { hash, trace }: JudgedAction,
  now: number,
): Promise<void> => {
  const { signal, attempt } = subject;
  const chunk = {
    schemaVersion: 1,
    attempt,
    n,
    text: prefix.slice(shown.length),
    chars: prefix.length,
    hash,
    trace: JSON.stringify(packTrace(trace)),
    gateSet: subject.gateSetVersion,
    at: now,
    expiresAt: Math.ceil((now + DRAFT_TTL_MS) / 1000),
  };
  await deps.table.put(signalKeys.draft(signal.space, signal.id, attempt, n), chunk, IS_NEW);
};

/** Asks Act to show the draft in a chat. Other clients look for chunks by themselves. */
const askToShow = async (draft: DraftState, now: number): Promise<void> => {
  const { deps, subject, n } = draft;
  const { signal, attempt } = subject;
  if (!sendsMessages(signal.reply.target) || now < draft.nextShowAt) return;
  draft.nextShowAt = now + DRAFT_SHOW_INTERVAL_MS;
  const { space, session, id: signalId } = signal;
  await deps.publish({ stage: 'draft', v: 1, space, session, signalId, attempt, n }, `draft:${attempt}:${n}`);
};
