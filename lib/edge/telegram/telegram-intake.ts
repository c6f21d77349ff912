/**
 * What the Telegram function does with an update, short of HTTP: find out whether its chat is served, pair it where it
 * brought a valid code, stop at once where it says so, and accept the signal. Only a stored signal is answered 200 (I6).
 * Chats that are not served get one polite refusal a day, without a model call.
 */
import { createHash } from 'node:crypto';
import { ConditionError } from '../../base/errors.ts';
import { DAY_MS } from '../../base/limits.ts';
import { acceptSignal } from '../../ledger/accept.ts';
import { type AdmitDeps, admitSignal } from '../../ledger/admit.ts';
import { setKillSwitch } from '../../ledger/kill-switch.ts';
import { loadHead, stopSession } from '../../ledger/session-controls.ts';
import { type Payload, SIGNAL_SCHEMA_VERSION, type Signal } from '../../signal/signal.ts';
import { absent, allOf, anyOf, below, type Condition, equals, present } from '../../store/condition.ts';
import { pairingKey } from '../../store/keys.ts';
import { loadItem } from '../../store/load-named.ts';
import { putOnce } from '../../store/put-once.ts';
import type { Table } from '../../store/table.ts';
import { pairingCodeKey } from './pairing.ts';
import { parseTelegramUpdate, type TelegramIntake, type TelegramIntakeConfig } from './telegram-update.ts';

/** Wrong pairing codes from one chat per day: with 40-bit codes, guessing is hopeless. */
export const PAIRING_FAILURES_MAX = 5;
/** Deduplicating records live at least a week: Telegram and webhook senders retry for days, not weeks. */
const REFUSAL_RETENTION_MS = 7 * DAY_MS;
/** A chat outside the allowlist gets one polite refusal in this time. */
const UNPAIRED_NOTICE_INTERVAL_MS = DAY_MS;

export interface IntakeDeps extends AdmitDeps {
  readonly table: Pick<Table, 'put' | 'update' | 'load' | 'transact'>;
  readonly config: Omit<TelegramIntakeConfig, 'pairedChats' | 'now'>;
  readonly now: number;
}

type Unpaired = Extract<TelegramIntake, { kind: 'unpaired' }>;

/** @throws ProtocolError for something that is no update, UnavailableError when it could not be stored. */
export const takeUpdate = async (deps: IntakeDeps, update: unknown): Promise<TelegramIntake> => {
  const intake = await parsePaired(deps, update);
  if (intake.kind === 'signal') {
    const { signal } = intake;
    if (signal.payload.sensor === 'interrupt') await stop(deps, signal);
    const admitted = await admitSignal(deps, signal);
    if (typeof admitted === 'object')
      return { kind: 'ignored', reason: `the ${admitted.account.kind} is over its quota` };
  }
  if (intake.kind === 'unpaired') await answerUnpaired(deps, intake);
  return intake;
};

/** An approver stops the space; anybody else the conversation it is said in, and no other. */
const stop = async ({ table }: IntakeDeps, signal: Signal): Promise<void> => {
  const { space, id: by, sender, receivedAt: at } = signal;
  if (sender.isApprover) await setKillSwitch(table, space, { isStopped: true, by: sender.id, at });
  else await stopSession(table, signal, await loadHead(table, signal), { because: 'asked', by }, at);
};

/** Looks a chat's pairing up only where the configured list does not name it. */
const parsePaired = async (deps: IntakeDeps, update: unknown): Promise<TelegramIntake> => {
  const config = { ...deps.config, now: deps.now };
  const first = parseTelegramUpdate(update, { ...config, pairedChats: new Set() });
  if (first.kind !== 'unpaired') return first;
  const paired = await loadItem(deps.table, pairingKey(config.space, `chat#${first.chatId}`));
  return paired === undefined
    ? first
    : parseTelegramUpdate(update, { ...config, pairedChats: new Set([first.chatId]) });
};

const answerUnpaired = async (deps: IntakeDeps, intake: Unpaired): Promise<void> => {
  if (intake.pairingCode === undefined) {
    if (await isFirstToday(deps, intake))
      await acceptSignal(deps, buildSignal(deps, intake, { sensor: 'unpaired-chat' }));
    return;
  }
  if (!(await mayTryCode(deps, intake))) return;
  const isPaired = await spendCode(deps, intake, intake.pairingCode);
  await acceptSignal(
    deps,
    buildSignal(deps, intake, { sensor: 'pairing', outcome: isPaired ? 'paired' : 'wrong-code' }),
  );
};

const buildSignal = (deps: IntakeDeps, intake: Unpaired, payload: Payload): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id: intake.signalId,
  type: 'REQUEST',
  source: 'telegram',
  space: deps.config.space,
  session: `telegram:${intake.chatId}`,
  root: intake.signalId,
  depth: 0,
  receivedAt: deps.now,
  sender: { id: `telegram:${intake.userId}`, isApprover: false },
  reply: { target: 'telegram', to: intake.chatId },
  payload,
});

const day = (now: number): number => Math.floor(now / UNPAIRED_NOTICE_INTERVAL_MS);
const expiry = (now: number): number => Math.ceil((now + REFUSAL_RETENTION_MS) / 1000);

/** True for the first message of a chat on a day, and for its repeats, so that a crash in between loses no refusal. */
const isFirstToday = async (deps: IntakeDeps, intake: Unpaired): Promise<boolean> => {
  const key = pairingKey(deps.config.space, `refused#${intake.chatId}#${day(deps.now)}`);
  const item = { schemaVersion: 1, signalId: intake.signalId, expiresAt: expiry(deps.now) };
  const stored = await putOnce(deps.table, key, item);
  return stored === 'put' || stored.signalId === intake.signalId;
};

/** Counts tries per chat and day, so that nobody guesses codes. */
const mayTryCode = async (deps: IntakeDeps, intake: Unpaired): Promise<boolean> => {
  const key = pairingKey(deps.config.space, `tries#${intake.chatId}#${day(deps.now)}`);
  const isUnder: Condition = {
    name: 'few codes tried today',
    holds: anyOf(absent('tries'), below('tries', PAIRING_FAILURES_MAX)),
  };
  try {
    await deps.table.update(
      key,
      { add: { tries: 1 }, set: { schemaVersion: 1, expiresAt: expiry(deps.now) } },
      isUnder,
    );
    return true;
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
};

/** A code is spent on the first chat that brings it, once; the same update again finds it spent on itself. */
const spendCode = async (deps: IntakeDeps, intake: Unpaired, code: string): Promise<boolean> => {
  const isGood: Condition = {
    name: 'code exists, is not expired, and not spent on another chat',
    holds: allOf(
      present('pk'),
      (p) => `${p.name('expiresAtMs')} > ${p.value(deps.now)}`,
      anyOf(absent('spentOn'), equals('spentOn', intake.chatId)),
    ),
  };
  try {
    await deps.table.update(pairingCodeKey(deps.config.space, code), { set: { spentOn: intake.chatId } }, isGood);
  } catch (error) {
    if (error instanceof ConditionError) return false;
    throw error;
  }
  const by = createHash('sha256').update(intake.userId).digest('hex').slice(0, 16);
  await deps.table.put(pairingKey(deps.config.space, `chat#${intake.chatId}`), {
    schemaVersion: 1,
    pairedAt: deps.now,
    by,
  });
  return true;
};
