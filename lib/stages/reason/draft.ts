/**
 * Streaming, Reason's side: hears an answer as it comes and stores what of it may be shown already, as chunks. Reason shows
 * nothing itself (I2). Released is a prefix that passes every gate unchanged, as does all text so far, and of which nothing
 * can become a part of a secret any more (`hold-back.ts`). Only first attempts to answer a person's own message, or what its tools
 * gave, are streamed, where nothing from outside was in the prompt and its place can show drafts; of one answer nothing after a
 * tool call, nor where the text is not what was released before. A short or quick answer stores nothing. Chunks lie beside the
 * signal that is answered, so that forgetting its turn finds them. Whatever goes wrong here ends the draft and never the turn.
 */

import { HOUR_MS, SECOND_MS } from '../../base/limits.ts';
import { buildHoldBack, type HoldBack } from '../../gates/rules/hold-back.ts';
import { packTrace } from '../../ledger/ledger.ts';
import type { Hear } from '../../llm/chat.ts';
import { textSoFar } from '../../llm/parse-proposal.ts';
import { type Action, actionHash, replyAction } from '../../signal/action.ts';
import type { JudgedAction } from '../../signal/decision.ts';
import type { DraftMessage } from '../../signal/messages.ts';
import type { Origin, ReplyRoute, Sensor, Signal } from '../../signal/signal.ts';
import { IS_NEW } from '../../store/condition.ts';
import { signalKeys } from '../../store/keys.ts';
import type { Publish } from '../../store/queue.ts';
import type { Table } from '../../store/table.ts';

/** Shortest beginning of an answer that is released, and what each later chunk adds at least: a short answer is not streamed. */
export const DRAFT_FIRST_CHARS_MIN = 80;
const DRAFT_DELTA_CHARS_MIN = 24;
/** An answer that is there within this of its first word is not streamed: nobody reads so fast, and each chunk is a write. */
const DRAFT_AFTER_MS = 150;
/** Between two chunks of one answer, and between two looks for one: a person reads some 25 characters a second. */
export const DRAFT_INTERVAL_MS = 400;
const DRAFT_LOOK_MS = 40;
/** Chunks of one answer: half a minute of them; the rest comes with the answer. */
export const DRAFT_CHUNKS_MAX = 80;
/** A draft is gone soon after its answer is there; the table deletes it a day or two later. */
const DRAFT_TTL_MS = HOUR_MS;
/** Between two drafts in a Telegram chat: Telegram takes about one message a second there. And one call, with the reply waiting behind it. */
export const DRAFT_SHOW_INTERVAL_MS = SECOND_MS;

export interface DraftDeps {
  readonly table: Pick<Table, 'put'>;
  /** Asks Act to show what is stored. */
  readonly publish: Publish<DraftMessage>;
  readonly now: () => number;
  /** Told when something of an answer can be seen. */
  readonly onShown?: (() => void) | undefined;
}

/** What is answered, and how its text is judged. */
export interface DraftSubject {
  readonly signal: Signal;
  /** Of the signal its turn began with. */
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
  /** Nothing more is released; waits for what is being stored. Never rejects. */
  readonly end: () => Promise<void>;
}

const PEOPLES_SENSORS: readonly Sensor[] = ['user-input', 'chat-message'];
/** What the tools gave that an answer called. */
const RESULT_SENSORS: readonly Sensor[] = ['tool-output', 'tool-error'];

const isPersons = (sensor: Sensor, rootSensor: Sensor): boolean =>
  PEOPLES_SENSORS.includes(rootSensor) && (sensor === rootSensor || RESULT_SENSORS.includes(sensor));

/** A private chat's id is its person's, and positive; groups show no drafts. */
const canShowDrafts = ({ target, to }: ReplyRoute): boolean =>
  target === 'console' || (target === 'telegram' && /^\d+$/.test(to));

/** A policy that reads texts may say of the whole what it does not say of a part. */
const READS_TEXT = /\btext\b|\\/;

/** Pure. */
export const mayStream = ({ signal, rootSensor, attempt, origin, policyText }: DraftSubject): boolean =>
  attempt === 1 &&
  origin !== 'outside' &&
  isPersons(signal.payload.sensor, rootSensor) &&
  canShowDrafts(signal.reply) &&
  !READS_TEXT.test(policyText);

/** @returns undefined where this answer is not to be streamed. */
export const openDraft = (deps: DraftDeps, subject: DraftSubject): Draft | undefined => {
  if (!mayStream(subject)) return undefined;
  const { signal, attempt, judge } = subject;
  let holdBack: HoldBack | undefined;
  let heard = '';
  let shown = '';
  let n = 0;
  let nextAt = 0;
  let nextShowAt = 0;
  let isClosed = false;
  let busy: Promise<void> | undefined;

  const judgeWhole = async (text: string): Promise<JudgedAction | undefined> => {
    const action = replyAction(text, signal.reply);
    const judged = await judge(action);
    // Nothing written after it takes a block back, and a long text takes long to judge: it is not looked at again and again.
    isClosed ||= judged.outcome === 'block';
    return judged.outcome === 'pass' && judged.hash === actionHash(action) ? judged : undefined;
  };

  const save = async (prefix: string, { hash, trace }: JudgedAction, now: number): Promise<void> => {
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

  const tell = async (now: number): Promise<void> => {
    if (signal.reply.target !== 'telegram' || now < nextShowAt) return;
    nextShowAt = now + DRAFT_SHOW_INTERVAL_MS;
    const { space, session, id: signalId } = signal;
    await deps.publish({ stage: 'draft', v: 1, space, session, signalId, attempt, n }, `draft:${attempt}:${n}`);
  };

  const release = async (): Promise<void> => {
    const text = textSoFar(heard);
    nextAt = deps.now() + DRAFT_LOOK_MS;
    if (text === undefined && shown === '') return;
    if (text === undefined || !text.startsWith(shown)) {
      isClosed = true;
      return;
    }
    if (text.length < shown.length + (n === 0 ? DRAFT_FIRST_CHARS_MIN : DRAFT_DELTA_CHARS_MIN)) return;
    holdBack ??= buildHoldBack(subject.secrets, subject.privacyTags);
    const prefix = text.slice(0, holdBack(text));
    if (prefix.length < shown.length + (n === 0 ? DRAFT_FIRST_CHARS_MIN : DRAFT_DELTA_CHARS_MIN)) return;
    const part = (await judgeWhole(text)) && (await judgeWhole(prefix));
    if (part === undefined || isClosed) return;
    const now = deps.now();
    await save(prefix, part, now);
    await tell(now);
    deps.onShown?.();
    shown = prefix;
    n += 1;
    nextAt = now + DRAFT_INTERVAL_MS;
    isClosed ||= n >= DRAFT_CHUNKS_MAX;
  };

  return {
    hear: ({ text, hasCalls }) => {
      isClosed ||= hasCalls;
      if (heard === '') nextAt = deps.now() + DRAFT_AFTER_MS;
      heard = text;
      if (isClosed || busy !== undefined || deps.now() < nextAt) return;
      busy = release()
        .catch(() => {
          isClosed = true;
        })
        .finally(() => {
          busy = undefined;
        });
    },
    end: async () => {
      isClosed = true;
      await busy;
    },
  };
};
