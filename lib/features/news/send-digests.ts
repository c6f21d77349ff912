/**
 * Sends the digests that have new lines: once as a message, and afterwards as an edit of it. Each
 * text is a decided signal of its own (I1), stored in the transaction that moves the digest on, so
 * a crash sends none twice. A text that is under way is waited for. Lines of a message that failed
 * come again with the next line. One that may have arrived is not repeated: the next line begins a
 * new message. An edit may be repeated; one that failed is followed by a new message of its lines.
 */
import * as z from 'zod/mini';
import { StoredItemError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { USUAL_LANGUAGE } from '../../core/base/language.ts';
import { MINUTE_MS, SWEEP_BACKOFF_MS } from '../../core/base/limits.ts';
import { baseFacts } from '../../core/judge/base-facts.ts';
import { decideByCode } from '../../core/judge/judge.ts';
import { buildNoticeAction, type Notice } from '../../core/judge/notices.ts';
import { NO_POLICY } from '../../core/judge/space-policy.ts';
import { perceiveMessage } from '../../core/ledger/accept.ts';
import { type Digest, isUnchanged, NEWS_DIGEST, parseDigest, sourceOf } from '../../core/ledger/digests.ts';
import { killSwitchKey, readKillSwitch } from '../../core/ledger/kill-switch.ts';
import { packDecision, parseEffect, parseRecord } from '../../core/ledger/ledger.ts';
import { languageOf, ownerSettingsKey, readOwnerSettings } from '../../core/ledger/owner-settings.ts';
import { buildRecordItem } from '../../core/ledger/record.ts';
import type { TickDeps } from '../../core/operations/hooks.ts';
import { chatOf, chatSession } from '../../core/signal/channels.ts';
import type { Decision } from '../../core/signal/decision.ts';
import { digestSignalId } from '../../core/signal/ids.ts';
import { isFinal, joinOrigins, SIGNAL_SCHEMA_VERSION, type Signal } from '../../core/signal/signal.ts';
import { IS_NEW } from '../../core/store/condition.ts';
import { type Key, signalKeys } from '../../core/store/keys.ts';
import { loadItem, loadNamed } from '../../core/store/load-named.ts';
import type { Item } from '../../core/store/table.ts';
import { updateIf, wasWritten } from '../../core/store/update-if.ts';
import { countKinds } from '../../core/text/event-word.ts';
import { defang } from '../../core/text/tappable.ts';
import { loadNewsLines, type NewsLine } from './news-lines.ts';
import { type NewsWords, newsTexts } from './texts.ts';

/** UTF-16 units of a digest and of one line: an edit is one message, which holds 4,096. */
const DIGEST_UNITS_MAX = 3_800;
const LINE_UNITS_MAX = 200;

const lineWords = (say: NewsWords, { text: words, origin, decision }: NewsLine): string => {
  const text = decision === undefined ? say.forgotten : words;
  const plain = text.replace(/\s+/g, ' ').trim();
  const cut = plain.length <= LINE_UNITS_MAX ? plain : `${plain.slice(0, LINE_UNITS_MAX).toWellFormed()}…`;
  return `– ${origin === 'outside' ? defang(cut) : cut}`;
};

/** @param count of its lines @param lines the newest, oldest first */
export const buildDigestText = (
  say: NewsWords,
  { session, isKept }: Pick<Digest, 'session' | 'isKept'>,
  count: number,
  lines: readonly NewsLine[],
): string => {
  const source = sourceOf(session);
  // Another chat's conversation is no name for whoever reads it.
  const name = source === session ? say.texts : source;
  const head = say.more(name, count, isKept);
  const isOfEvents = lines.length > 1 && lines.some(({ kind }) => kind !== undefined);
  const kinds = isOfEvents
    ? countKinds(
        say.kinds,
        lines.map(({ kind }) => kind),
      )
    : '';
  const among = kinds !== '' && count > lines.length ? say.among(lines.length) : '';
  const shown: string[] = [];
  let units = head.length + 100;
  for (const line of lines.map((one) => lineWords(say, one)).reverse()) {
    units += line.length + 1;
    if (units > DIGEST_UNITS_MAX) break;
    shown.unshift(line);
  }
  const older = count - shown.length;
  const rest = older === 0 ? [] : [say.notShown(older, source)];
  if (shown.length === 0) return `${head}: /news ${source}`;
  return [`${head}${among}: ${kinds}`.trimEnd(), ...rest, ...shown].join('\n');
};

/** The end of the last text. `open`: it is under way. */
type Fate =
  | { readonly kind: 'none' }
  | { readonly kind: 'open' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'unknown' }
  | { readonly kind: 'sent'; readonly message: number | undefined };

const Sent = z.object({ messageIds: z.array(z.int()) });

/** Undefined also if the text was kept back, for a chat that was muted meanwhile. */
const messageIn = (output = ''): number | undefined => Sent.safeParse(readJson(output)).data?.messageIds[0];

const fateOf = async ({ table, space }: TickDeps, { edition }: Digest, sk: string): Promise<Fate> => {
  if (edition === 0) return { kind: 'none' };
  const id = digestSignalId(sk, edition);
  const { record, effect: item } = await loadNamed(table, {
    record: signalKeys.record(space, id),
    effect: signalKeys.effect(space, id, 0),
  });
  const effect = item === undefined ? undefined : parseEffect(id, item);
  switch (effect?.state) {
    case 'done':
      return { kind: 'sent', message: messageIn(effect.output) };
    case 'failed':
    case 'refused':
      return { kind: 'failed' };
    case 'unknown':
      return { kind: 'unknown' };
    default:
      // Given up before it was sent.
      return { kind: record !== undefined && isFinal(parseRecord(id, record).state) ? 'failed' : 'open' };
  }
};

/** The digest as its next text is made from it. */
const nextOf = (digest: Digest, fate: Exclude<Fate, { kind: 'open' }>) => {
  const { shown, shownBefore, passed, message } = digest;
  switch (fate.kind) {
    case 'none':
      return { passed, shownBefore: 0, message: undefined };
    case 'sent':
      // Without a message there is nothing to edit.
      return { passed: fate.message === undefined ? shown : passed, shownBefore: shown, message: fate.message };
    case 'unknown':
      return message === undefined ? { passed: shown, shownBefore: shown, message } : { passed, shownBefore, message };
    case 'failed':
      // A message that cannot be edited keeps its lines, and a new one has those that came later.
      return { passed: message === undefined ? passed : shownBefore, shownBefore, message: undefined };
    default:
      return fate satisfies never;
  }
};

const buildSignal = ({ space, now }: TickDeps, { place }: Digest, id: string): Signal => ({
  schemaVersion: SIGNAL_SCHEMA_VERSION,
  id,
  type: 'RESPONSE',
  source: 'system',
  space,
  session: chatSession(chatOf(place), place.topic),
  root: id,
  depth: 0,
  receivedAt: now,
  sender: { id: 'system', isApprover: false },
  reply: place,
  payload: { sensor: 'notice', template: NEWS_DIGEST },
});

/** The sources of the words, so that forgetting finds them here too. */
const sourcesOf = (lines: readonly NewsLine[]): Pick<Decision, 'memory' | 'seen'> => {
  const decisions = lines.flatMap(({ decision }) => decision ?? []);
  const seen = new Map(decisions.flatMap(({ seen: all = [] }) => all.map((one) => [one.id, one] as const)));
  if (seen.size === 0) return {};
  const [memory] = decisions.flatMap((one) => one.memory ?? []).sort((a, b) => a.commit - b.commit);
  return { seen: [...seen.values()], ...(memory === undefined ? {} : { memory }) };
};

const decide = async (
  deps: TickDeps,
  digest: Digest,
  signal: Signal,
  next: ReturnType<typeof nextOf>,
): Promise<Decision> => {
  const count = digest.lines - next.passed;
  const lines = await loadNewsLines(deps.table, deps.space, { newest: digest.newest.slice(-count) });
  const settings = readOwnerSettings(await loadItem(deps.table, ownerSettingsKey(deps.space)));
  const language = languageOf(settings, signal.reply);
  const say = await newsTexts.in(language);
  const gateSet = await deps.loadGateSet();
  const origin = joinOrigins(['agent', ...lines.map((line) => line.origin)]);
  const { space, session, reply } = signal;
  const facts = baseFacts(
    { stage: 'reason', now: deps.now, space, setup: { gateSet }, policy: NO_POLICY, settings: undefined },
    { reply, session, sensor: 'notice', origin },
  );
  const decideText = (text: string): Promise<Decision> => {
    const edits = next.message === undefined ? {} : { edits: { message: next.message } };
    const spoken = language === USUAL_LANGUAGE ? {} : { language };
    const notice: Notice = { template: NEWS_DIGEST, text, ...edits, ...spoken };
    const action = buildNoticeAction(notice, reply);
    return decideByCode(gateSet, { signalId: signal.id, outcome: 'act', reason: '' }, [action], facts);
  };
  const decision = await decideText(buildDigestText(say, digest, count, lines));
  if (decision.actions.every(({ outcome }) => outcome === 'pass')) return { ...decision, ...sourcesOf(lines) };
  // The gates let each line pass, and not all of them side by side.
  return decideText(buildDigestText(say, digest, count, []));
};

const AT_REST = ['unfinishedSpace', 'unfinishedAt'] as const;

const sendDigest = async (deps: TickDeps, item: Item): Promise<void> => {
  const { table, space, now } = deps;
  const key: Key = { pk: String(item.pk), sk: String(item.sk) };
  const digest = parseDigest(item);
  const fate = await fateOf(deps, digest, key.sk);
  if (fate.kind === 'open') {
    await updateIf(table, key, { set: { unfinishedAt: now + MINUTE_MS } }, isUnchanged(digest));
    return;
  }
  const isEditLost = digest.message !== undefined && (fate.kind === 'failed' || fate.kind === 'unknown');
  if (digest.lines === digest.shown && !isEditLost) {
    await updateIf(table, key, { remove: [...AT_REST] }, isUnchanged(digest));
    return;
  }
  const next = nextOf(digest, fate);
  const signal = buildSignal(deps, digest, digestSignalId(key.sk, digest.edition + 1));
  const decision = await decide(deps, digest, signal, next);
  const { message, ...counts } = next;
  const edition = { ...counts, edition: digest.edition + 1, shown: digest.lines };
  // A later tick looks whether the edit came about.
  const change =
    message === undefined
      ? { set: edition, remove: [...AT_REST, 'message'] }
      : { set: { ...edition, message, unfinishedAt: now + MINUTE_MS } };
  const record = buildRecordItem(signal, 'reasoned', now + SWEEP_BACKOFF_MS[0]);
  const isStored = await wasWritten(
    table.transact([
      { kind: 'put', key: signalKeys.decision(space, signal.id), item: packDecision(decision), condition: IS_NEW },
      { kind: 'put', key: signalKeys.record(space, signal.id), item: record, condition: IS_NEW },
      { kind: 'update', key, change, condition: isUnchanged(digest) },
    ]),
  );
  // A line came meanwhile, or another tick was first: the next tick looks again.
  if (isStored) await deps.publishPerceive(perceiveMessage(signal), 'digest');
};

/** While all is stopped, digests wait for the resume. One bad item holds up no other. */
export const sendDigests = async (deps: TickDeps, items: readonly Item[]): Promise<{ started: 0; fault?: unknown }> => {
  if (readKillSwitch(await loadItem(deps.table, killSwitchKey(deps.space)))?.isStopped === true) return { started: 0 };
  let fault: unknown;
  for (const item of items) {
    try {
      await sendDigest(deps, item);
    } catch (error) {
      if (!(error instanceof StoredItemError)) throw error;
      fault ??= error;
    }
  }
  return fault === undefined ? { started: 0 } : { started: 0, fault };
};
