/**
 * The judge is judged: an honest run of the local stack passes, and each rule finds what is done to
 * such a run so that its promise no longer holds. `check/observed.json.gz` is that run: messages of
 * each verb, approvals, a stop, an event, two notes, and one request that was refused.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import canonicalize from 'canonicalize';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { appendLeaves, EMPTY_RANGE, leafHash, type NodeRef, rootOf } from '../../lib/core/evidence/merkle.ts';
import { buildProof, inclusionNodes } from '../../lib/core/evidence/proofs.ts';
import { check, RULES } from './check/check.ts';
import { readEvidence } from './check/evidence.ts';
import { checkForm } from './check/forms.ts';
import { canonicalText } from './check/json.ts';
import { rootsAt } from './check/log.ts';
import { rootFrom } from './check/receipts.ts';
import { checkRow } from './check/rows.ts';
import type { Observed, Received, Sent } from './types.ts';

const FOLDER = join(ROOT, 'test/simulate/check');
const recorded = JSON.parse(gunzipSync(readFileSync(join(FOLDER, 'observed.json.gz'))).toString());
const honest: Observed = {
  ...recorded,
  restedAt: Number.MAX_SAFE_INTEGER,
  stepMs: 1,
  configured: { ...recorded.configured, hookMicros: 0 },
  // The run is of a release that settled the last call of a conversation with its next one.
  spentMicros: recorded.received.reduce((sum: number, { costMicros = 0 }: Received) => sum + costMicros, 0),
};

/** A copy that a mutation changes in place. */
type World = { -readonly [K in keyof Observed]: Observed[K] };
type Mutation = (world: World) => void;
type Node = Record<string, unknown>;

/** Replaces the value at a path such as `fixed.trace.3`. An old value may be told to a function. */
const setAt = (root: unknown, path: string, next: unknown): void => {
  const names = path.split('.');
  const last = names.pop() ?? '';
  const parent = names.reduce((node, name) => node[name] as Node, root as Node);
  if (parent === undefined) throw new Error(`there is no ${path}`);
  parent[last] = typeof next === 'function' ? next(parent[last]) : next;
};

const nameOf = ({ type, kind, id, index }: Node): string => `${kind ?? type} ${id ?? index ?? ''}`.trim();

/** Changes a line of the export; without a path, it is left out. */
const line =
  (name: string, path?: string, next?: unknown): Mutation =>
  (world) => {
    const lines = world.exported.trim().split('\n');
    const place = lines.findIndex((text) => nameOf(JSON.parse(text)) === name);
    if (place < 0) throw new Error(`there is no ${name}`);
    const changed = JSON.parse(lines[place] ?? '');
    if (path === undefined) lines.splice(place, 1);
    else {
      setAt(changed, path, next);
      lines[place] = JSON.stringify(changed);
    }
    world.exported = `${lines.join('\n')}\n`;
  };

const findSent = ({ sent }: Observed, marker: string, isCardAnswer: boolean): Sent => {
  const found = sent.find((one) => one.step.marker === marker && one.isCardAnswer === isCardAnswer);
  if (found === undefined) throw new Error(`nothing was sent about ${marker}`);
  return found;
};

/** Changes what was sent about a marker; `card <marker>` names the answer to its card. */
const sent =
  (name: string, path?: string, next?: unknown): Mutation =>
  (world) => {
    const found = findSent(world, name.replace('card ', ''), name.startsWith('card '));
    if (path === undefined) world.sent = world.sent.filter((one) => one !== found);
    else setAt(found, path, next);
  };

type Server = Received['server'];

const findReceipt = ({ received }: Observed, server: Server, text: string): Received => {
  const found = received.find((one) => one.server === server && one.request.body.includes(text));
  if (found === undefined) throw new Error(`${server} received nothing with ${text}`);
  return found;
};

/** Changes what a server received first with this text. */
const received =
  (server: Server, text: string, path: string, next: unknown): Mutation =>
  (world) =>
    setAt(findReceipt(world, server, text), path, next);

/** The same once more, with a change. */
const again =
  (server: Server, text: string, path: string, next: unknown): Mutation =>
  (world) => {
    const copy = structuredClone(findReceipt(world, server, text));
    setAt(copy, path, next);
    world.received = [...world.received, copy];
  };

const world =
  (path: string, next: unknown): Mutation =>
  (one) =>
    setAt(one, path, next);

const both =
  (...mutations: readonly Mutation[]): Mutation =>
  (one) => {
    for (const mutate of mutations) mutate(one);
  };

/** A row of the table, as the run left it. */
const row = (id: string, fields: object): Mutation => world('rows', { [`signal#default#${id} record`]: fields });

/** The row of the approval that m3 asked for. */
const approved = (): Mutation =>
  world('rows', { 'approval#default#1 record': { state: 'spent', signalId: idOf('m3'), n: 0 } });

const replace = (from: string | RegExp, to: string) => (old: unknown) => String(old).replace(from, to);
const plus = (ms: number) => (old: unknown) => Number(old) + ms;
const idOf = (marker: string): string => findSent(honest, marker, false).signalId ?? '';
const decision = (marker: string): string => `decision ${idOf(marker)}`;
const effect = (marker: string): string => `effect ${idOf(marker)}#0`;

/** The text about the event of the run comes later, and this is what its chat then shows. */
const putOff = (output: string): Mutation => line('effect wh-ci:e1#0', 'content.output', `${output}: so`);
const shows = (text: string, messageId = 15): Mutation =>
  again('telegram', 'e1 came', 'shown', { at: 1, chat: '5001', messageId, isEdit: false, text, buttons: [] });

/** The stored signal of a message with these words. */
const signalOf = (marker: string, text: string, lateMs = 0): string => {
  const { step, tries } = findSent(honest, marker, false);
  const chat = 'conversation' in step ? step.conversation : '';
  return JSON.stringify({
    ...{ session: `telegram:${chat}`, sender: { id: `telegram:${chat}` }, reply: { target: 'telegram', to: chat } },
    ...{ receivedAt: (tries[0]?.at ?? 0) + lateMs, payload: { sensor: 'chat-message', text: [{ text }] } },
  });
};
/** The stored signal of the step that is told of the first call of a message. */
const toldOf = (marker: string, state: string): string =>
  JSON.stringify({ parent: idOf(marker), payload: { results: [{ n: 0, tool: 'remember', state, output: '' }] } });
const CARD = 'c'.repeat(32);
const hasButtons: Mutation = (one) => {
  const receipt = one.received.find(
    ({ request, answer }) => request.url.endsWith('/sendMessage') && answer.status === 200,
  );
  const buttons = [{ text: 'Approve', data: `a:${CARD}` }];
  Object.assign(receipt ?? {}, { shown: { at: 1, chat: '5001', messageId: 99, isEdit: false, text: 'x', buttons } });
};

/** Nothing went wrong in the run, but for this. */
const isQuiet = (seen: Partial<NonNullable<Observed['quiet']>>): Mutation =>
  world('quiet', { complaints: [], queued: [], ...seen });
const QUEUED = { queue: 'https://queues/Act', id: 'a', body: '{"stage":"act","signalId":"tg-1"}' };

/** A receipt of what m1 did, made from the log, with changes. */
const receipt =
  (fields: object | undefined, ofRecords: object = {}): Mutation =>
  (one) => {
    const { records, leaves, checkpoints } = readEvidence(one.exported);
    const note = checkpoints.at(-1) ?? '';
    const hashes = leaves.map((leaf) => leafHash(Buffer.from(leaf)));
    const hashAt = ({ level, index }: NodeRef) =>
      rootOf(appendLeaves(EMPTY_RANGE, hashes.slice(index << level, (index + 1) << level)));
    const id = `${idOf('m1')}#0`;
    const lines = records
      .filter((record) => [decision('m1'), effect('m1')].includes(`${record.kind} ${record.id}`))
      .map(({ kind, fixed, leaf }) => ({
        ...{ kind, record: canonicalText(fixed), leaf: leaves[leaf], index: leaf },
        proof: buildProof(inclusionNodes(leaf, leaves.length), hashAt).map((hash) =>
          Buffer.from(hash).toString('base64'),
        ),
        ...ofRecords,
      }));
    const whole = { key: one.publicKey, records: lines, checkpoint: note };
    one.receipts = [{ id, isHidden: true, receipt: fields && { ...whole, ...fields } }];
  };

/** The message m1 was a file, and m2 read it. */
const sendsFile = sent('m1', 'step', { kind: 'files', afterMs: 0, via: 'telegram', files: ['file-a'], marker: 'm1' });
const speaks = sent('m1', 'step', { kind: 'files', afterMs: 0, via: 'telegram', files: ['voice-a'], marker: 'm1' });
const READ = { target: 'tool', tool: 'read-attachment', args: { file: 'file-a' }, author: 'code' };
const HEARD = { ...READ, args: { file: 'voice-a' } };
const showsPicture = sent('m1', 'step', {
  kind: 'files',
  afterMs: 0,
  via: 'telegram',
  files: ['photo-a'],
  marker: 'm1',
});
const SEEN = { ...READ, args: { file: 'photo-a' } };

const [, APPROVAL] = /"approval":"([0-9a-f]{32})"/.exec(honest.exported) ?? [];
const [HOUR_MS, MINUTE_MS] = [3_600_000, 60_000];
const BLOCK = { gate: 'access', verdict: 'block', reason: 'x' };
const twice = (list: unknown) => [...(list as unknown[]), ...(list as unknown[])];

// biome-ignore format: one mutation a line
const CASES: readonly (readonly [rule: string, what: string, mutate: Mutation])[] = [
  ['log', 'a record was changed', line(decision('m1'), 'fixed.reason', 'x')],
  ['log', 'a record is missing', line(effect('m1'))],
  ['log', 'a record is there twice', world('exported', replace(/(\{"type":"record".*\n)/, '$1$1'))],
  ['log', 'a leaf was changed', line('leaf 3', 'leaf', replace('"v":1', '"v":2'))],
  ['log', 'a leaf is missing', line('leaf 3')],
  ['log', 'another key signed', world('publicKey', replace(/.{4}$/, 'AAAA'))],
  ['log', 'the end is cut', line('end')],
  ['log', 'a cosignature is nobody’s', world('exported', replace(/("type":"checkpoint","note":"[^"]*)"/, '$1— witness.simulated AAAA\\n"'))],
  ['log', 'a cosignature is not shown', both(world('troubles', []), again('model', 'm1', 'server', 'witness'))],
  ['one-end', 'an accepted message has no end', both(line(decision('m1')), line(effect('m1')))],
  ['one-end', 'nobody sent what was decided', sent('m1')],
  ['one-end', 'a refused message has an end', sent('m1', 'tries.0.answer.status', 401)],
  ['one-end', 'an action never ended', line(effect('m1'), 'fixed.state', 'claimed')],
  ['one-end', 'an action was never begun', line(effect('m1'))],
  ['one-end', 'a result was told to nobody', both(line(`${decision('m2')}/1`), line(`effect ${idOf('m2')}/1#0`))],
  ['one-end', 'a turn was answered twice', world('exported', replace(new RegExp(`"id":"${idOf('m7')}(#0)?"`, 'g'), `"id":"${idOf('m1')}/1$1"`))],
  ['one-end', 'a turn was answered with nothing', line(effect('m1'), 'fixed.state', 'refused')],
  ['one-end', 'a turn got the answer of another', line(decision('m1'), 'content.actions.0.action.text', 'm8 said')],
  ['one-end', 'an ignored card never expired', line('header', 'exportedAt', plus(2 * HOUR_MS))],
  ['one-end', 'the run never came to rest', world('isUnfinished', true)],
  ['seen-once', 'a text was shown twice', again('telegram', 'm1 said', 'at', plus(1))],
  ['seen-once', 'a text says it was shown, and was not', received('telegram', 'm1 said', 'isPerformed', false)],
  ['seen-once', 'an edit says it was shown, and was not', received('telegram', 'APPROVED', 'isPerformed', false)],
  ['news', 'a line was put off, and nobody saw it', putOff('In the digest of ci')],
  ['news', 'a line stands in the chat twice', both(putOff('Kept back until 10:00'), shows('e1 came'), shows('e1 came', 16))],
  ['news', 'a digest counts more lines than it has', both(putOff('In the digest of ci'), shows('ci: 2 more this hour:\n– e1 came'))],
  ['news', 'the list of all news has a line too few', both(putOff('In the digest of ci'), shows('e1 came'), world('news', { news: [], older: 0 }))],
  ['seen-once', 'an outcome is unknown without cause', line(effect('m1'), 'fixed.state', 'unknown')],
  ['seen-once', 'a text was given up, which nobody refused', line(effect('m1'), 'fixed.state', 'failed')],
  ['seen-once', 'nobody asked for a text again', line(effect('m1'), 'fixed.resolution', 'retry')],
  ['seen-once', 'a call came under two ids', again('webhook', 'm3', 'request.headers.webhook-id', 'msg_other')],
  ['seen-once', 'an id came with two bodies', again('webhook', 'm3', 'request.body', '{"marker":"m4"}')],
  ['seen-once', 'a call says it was made, and was not', received('webhook', 'm3', 'isPerformed', false)],
  ['no-trace-no-act', 'a text left that nobody decided', received('telegram', 'm1 said', 'request.body', replace('m1', 'm0'))],
  ['no-trace-no-act', 'a text went to another chat', received('telegram', 'm1 said', 'request.body', replace('5001', '5002'))],
  ['no-trace-no-act', 'a card shows another action', received('telegram', 'needs your approval', 'request.body', replace('To: ', 'To:'))],
  ['no-trace-no-act', 'a card asks for another approval', received('telegram', 'needs your approval', 'request.body', replace(/:[0-9a-f]{32}/g, `:${'f'.repeat(32)}`))],
  ['no-trace-no-act', 'a call left that nobody decided', received('webhook', 'm3', 'request.body', '{"marker":"m5"}')],
  ['no-trace-no-act', 'a refused text was sent', line(effect('m1'), 'fixed.state', 'refused')],
  ['no-trace-no-act', 'a gate is missing from a claim', line(effect('m1'), 'fixed.trace.3', 'other')],
  ['no-trace-no-act', 'a gate is missing from a decision', line(decision('m1'), 'fixed.actions.0.trace.3', 'other')],
  ['no-trace-no-act', 'a gate blocked', line(decision('m1'), 'fixed.actions.0.trace.3', BLOCK)],
  ['no-trace-no-act', 'the action was blocked', line(decision('m1'), 'fixed.actions.0.outcome', 'block')],
  ['no-trace-no-act', 'another action was decided', line(decision('m1'), 'fixed.actions.0.hash', 'a'.repeat(64))],
  ['no-trace-no-act', 'the action has other bytes', line(decision('m1'), 'content.actions.0.action.explanation', 'x')],
  ['no-trace-no-act', 'a claim came after the deed', line(effect('m1'), 'fixed.claimedAt', plus(MINUTE_MS))],
  ['no-trace-no-act', 'a decision has no leaf', line(decision('m1'), 'leaf', undefined)],
  ['no-trace-no-act', 'a decision came after its effect', line(decision('m1'), 'leaf', 99)],
  ['no-trace-no-act', 'the gates of a version are not its own', world('exported', replace(/"gates":\[\[[^\]]*\],/, '"gates":['))],
  ['no-trace-no-act', 'an unknown method was called', received('telegram', 'm1 said', 'request.url', replace('sendMessage', 'sendPhoto'))],
  ['approved', 'a call was made without an approval', line(effect('m3'), 'fixed.approval', undefined)],
  ['approved', 'an approval is not spent', line(`approval ${APPROVAL}`, 'fixed.state', 'approved')],
  ['approved', 'an approval was spent too late', line(`approval ${APPROVAL}`, 'fixed.expiresAt', plus(-HOUR_MS))],
  ['approved', 'an approval was given after it was spent', line(`approval ${APPROVAL}`, 'fixed.decidedAt', plus(MINUTE_MS))],
  ['approved', 'an approval was given for another action', line(`approval ${APPROVAL}`, 'fixed.actionHash', 'a'.repeat(64))],
  ['approved', 'an approval was spent twice', line(effect('m1'), 'fixed.approval', APPROVAL)],
  ['approved', 'a stranger approved', world('configured.approvers', ['telegram:1'])],
  ['approved', 'a card was denied', sent('card m3', 'step.card.answer', 'deny')],
  ['approved', 'a card was ignored', sent('card m3')],
  ['approved', 'a call was made before the yes', received('webhook', 'm3', 'at', plus(-MINUTE_MS))],
  ['approved', 'a call is about another message', sent('m3', 'step.marker', 'm99')],
  ['order', 'a later message was begun first', received('model', 'say m1', 'request.body', replace('say m1', 'note m2'))],
  ['granted', 'a call was allowed by a grant that nobody gave', line(effect('m3'), 'fixed.grant', '0123456789ab')],
  ['prompt', 'a message waits although all was at rest', both(world('restedAt', 0), line(effect('m1'), 'fixed.settledAt', plus(HOUR_MS)))],
  ['memory', 'a commit is missing', line('commit 1')],
  ['memory', 'two commits have one number', line('commit 2', 'fixed.number', 1)],
  ['memory', 'a commit changes a state that was not', line('commit 2', 'fixed.changes.0.old', 'f'.repeat(64))],
  ['memory', 'nobody asked for a note', line('commit 2', 'fixed.signal', idOf('m1'))],
  ['memory', 'a message was noted twice', line('commit 2', 'fixed.signal', idOf('m2'))],
  ['memory', 'a commit adds two notes', line('commit 2', 'fixed.changes', twice)],
  ['memory', 'a note was stored though it was refused', line(effect('m2'), 'fixed.state', 'refused')],
  ['memory', 'other words were noted', line(decision('m2'), 'content.actions.0.action.args.text', 'm8 noted')],
  ['money', 'less was counted than calls cost', world('spentMicros', 10)],
  ['money', 'more was counted than can be', world('spentMicros', 10_000_000)],
  ['money', 'a call was booked at another price', line(decision('m1'), 'fixed.attempts.0.cost.usd', 5)],
  ['money', 'a call was not paid', world('configured.hookMicros', 10_000_000)],
  ['history', 'a prompt shows an answer twice', received('model', 'say m1', 'request.body', replace('say m1', 'say m1: m1 said, m1 said'))],
  ['stop', 'something was begun in a stop', line(decision('m7'), 'content.actions.0.action.author', 'model')],
  ['stop', 'an old decision was acted on after a resume', line(decision('m8'), 'fixed.attempts.0.at', plus(-MINUTE_MS))],
  ['stop', 'an old decision has the very time of the stop', line(decision('m8'), 'fixed.attempts.0.at', findSent(honest, 's1', false).tries[0]?.at)],
  ['stop', 'a text was seen long after a stop', both(sent('s2'), received('telegram', 'm8 said', 'at', plus(HOUR_MS)), line(effect('m8'), 'fixed.claimedAt', plus(-MINUTE_MS)))],
  ['I3', 'a blocked proposal was performed', line(decision('m5'), 'content.actions.0.action.author', 'model')],
  ['I3', 'a decision acts on a blocked attempt', line(decision('m5'), 'fixed.outcome', 'act')],
  ['I8', 'a turn took too many attempts', line(decision('m5'), 'fixed.attemptCount', 4)],
  ['I8', 'a turn went too deep', world('exported', replace(new RegExp(`"id":"${idOf('m2')}/1"`), `"id":"${idOf('m2')}${'/1'.repeat(12)}"`))],
  ['I8', 'an effect was tried too often', line(effect('m1'), 'fixed.tries', 9)],
  ['I8', 'a text is too long', received('telegram', 'm1 said', 'request.body', JSON.stringify({ text: 'x'.repeat(5_000) }))],
  ['I8', 'an approval is good for a day', line(`approval ${APPROVAL}`, 'fixed.expiresAt', plus(24 * HOUR_MS))],
  ['I8', 'a model was asked without end', world('received', (list: Received[]) => [...list, ...Array(2_000).fill(findReceipt(honest, 'model', 'm1'))])],
  ['I9', 'a decision has other facts', line(decision('m1'), 'content.actions.0.facts.0.origin', 'outside')],
  ['I9', 'a claim has other facts', line(effect('m1'), 'content.facts.0.origin', 'outside')],
  ['I9', 'gates ran in another order', line(effect('m1'), 'fixed.trace', (trace: unknown[]) => trace.toReversed())],
  ['I9', 'nobody judged at the last mile', line(effect('m1'), 'content.facts.0.stage', 'reason')],
  ['I11', 'a prompt holds a secret', received('model', 'say m1', 'request.body', `m1 ${honest.configured.secrets[0]}`)],
  ['I11', 'a text holds a secret', received('telegram', 'm1 said', 'request.body', honest.configured.secrets[1])],
  ['I11', 'a call holds a secret', received('webhook', 'm3', 'request.body', honest.configured.secrets[1])],
  ['I11', 'the export holds a secret', line(decision('m1'), 'content.actions.0.action.text', honest.configured.secrets[2])],
  ['I12', 'a model was asked about nothing', received('model', 'say m1', 'request.body', '{}')],
  ['I12', 'a model was asked before anything was sent', received('model', 'say m1', 'at', plus(-HOUR_MS))],
  ['I13', 'an event counts as the owner’s', line(decision('e1'), 'content.actions.0.facts', (facts: Node[]) => facts.map((one) => ({ ...one, origin: 'owner' })))],
  ['I13', 'an event leads to a call without asking', line(decision('e1'), 'content.actions.0.action.target', 'webhook')],
  ['I14', 'a stranger approved', world('configured.approvers', ['telegram:1'])],
  ['I14', 'nobody approved', sent('card m3')],
  ['I14', 'an approval ended before its time', line(`approval ${APPROVAL}`, 'fixed.state', 'expired')],
  ['I14', 'a yes outlives its action', both(line(`approval ${APPROVAL}`, 'fixed.state', 'approved'), line(effect('m3'), 'fixed.state', 'refused'))],
  ['I14', 'a denial counts as a yes', sent('card m4', 'step.card.answer', 'approve')],
  ['states', 'a signal says that it was refused', row(idOf('m1'), { state: 'refused' })],
  ['states', 'a turn forgot its call', row(idOf('m2'), { state: 'acted', toolCalls: [] })],
  ['rest', 'a signal is still marked', row(idOf('m1'), { state: 'acted', unfinishedSpace: 'unfinished#default' })],
  ['rest', 'a turn goes on', world('rows', { 'session#default#telegram:5001 head': { turn: 'tg-1' } })],
  ['stored', 'a message is stored with other words', row(idOf('m1'), { state: 'acted', signal: signalOf('m1', 'say m2') })],
  ['stored', 'a message is stored as of another hour', row(idOf('m1'), { state: 'acted', signal: signalOf('m1', 'say m1', HOUR_MS) })],
  ['proposed', 'an attempt has other words', line(decision('m1'), 'content.attempts.0.proposal.text', 'x')],
  ['proposed', 'an attempt counts other tokens', line(decision('m1'), 'fixed.attempts.0.inputTokens', plus(1))],
  ['outputs', 'a text names another message', line(effect('m1'), 'content.output', '{"messageIds":[99]}')],
  ['outputs', 'a call says that it was answered otherwise', line(effect('m3'), 'content.output', '{"status":201,"body":""}')],
  ['results', 'a step is told otherwise', row(`${idOf('m2')}/1`, { state: 'acted', signal: toldOf('m2', 'failed') })],
  ['results', 'later turns do not see an answer', row(idOf('m1'), { state: 'acted', signal: signalOf('m1', 'say m1'), replies: [] })],
  ['results', 'later turns do not see what was heard', both(line(decision('m2'), 'content.actions.0.action', HEARD), row(idOf('m2'), { state: 'acted', signal: signalOf('m2', 'note m2'), replies: [] }))],
  ['results', 'a step says that the one before failed', both(row(`${idOf('m2')}/1`, { state: 'acted', signal: toldOf('m2', 'done') }), line(`${decision('m2')}/1`, 'fixed.attempts.0.tierBecause', 'what was tried before failed'))],
  ['doubt', 'nobody is told that a text may be lost', line(effect('m1'), 'fixed.state', 'unknown')],
  ['cards', 'a card keeps its buttons', both(world('rows', { [`approval#default#${CARD} record`]: { state: 'spent' } }), hasButtons)],
  ['files', 'other words are read of a file', both(sendsFile, line(decision('m2'), 'content.actions.0.action', READ))],
  ['files', 'a voice message is heard that nobody wrote down', both(speaks, line(decision('m2'), 'content.actions.0.action', HEARD))],
  ['files', 'a file became a part of a message that took none up', both(sendsFile, row(idOf('m1'), { stateReason: 'it is a part of tg-1' }))],
  ['files', 'a picture is named by the bytes of another', both(showsPicture, line(decision('m2'), 'content.actions.0.action', SEEN))],
  ['receipts', 'the log has an action and no receipt of it', receipt(undefined)],
  ['receipts', 'a receipt lacks a record', receipt({ records: [] })],
  ['receipts', 'a receipt is of another log', receipt({ key: 'passepartout/other' })],
  ['receipts', 'a receipt has no proof', receipt({}, { proof: [] })],
  ['receipts', 'a receipt has another record', receipt({}, { record: '{}' })],
  ['receipts', 'a receipt shows words that it should not', receipt({ action: '{}' })],
  ['quiet', 'a function complains', isQuiet({ complaints: ['act-1: {"level":"warn","event":"message-retried"}'] })],
  ['quiet', 'a message is sent twice', isQuiet({ queued: [QUEUED, QUEUED] })],
  ['quiet', 'Act is told twice to perform an action', isQuiet({ queued: [QUEUED, { ...QUEUED, id: 'b' }] })],
  ['quiet', 'a model is asked for nothing', both(isQuiet({}), again('model', 'say m1', 'at', plus(1)))],
  ['quiet', 'a text is tried twice', both(isQuiet({}), line(effect('m1'), 'fixed.tries', 2))],
  ['quiet', 'a sweep mends a turn', both(isQuiet({}), row(idOf('m1'), { state: 'acted', sweeps: 1 }))],
  ['quiet', 'a message is left for good', both(isQuiet({}), world('rows', { 'dead-letter#default tg-1#1': {} }))],
  ['times', 'a text ends before it begins', line(effect('m1'), 'fixed.settledAt', plus(-HOUR_MS))],
  ['times', 'a yes comes before its question', line(`approval ${APPROVAL}`, 'fixed.createdAt', plus(HOUR_MS))],
  ['awaited', 'a write was left', world('left', ['act-1 PutItem "pk":{"S":"setting#s"}'])],
  ['granted', 'a yes to similar calls made no grant', both(sent('card m3', 'step.card.answer', 'similar'), approved())],
];

const mutated = (...mutations: readonly Mutation[]): Observed => {
  const copy = structuredClone(honest) as World;
  both(...mutations)(copy);
  return copy;
};

describe('check', () => {
  it('has nothing to say about an honest run', () => {
    expect(check(honest)).toStrictEqual([]);
  });

  it.each(CASES)('finds by %s that %s', (rule, _, mutate) => {
    expect(check(mutated(mutate)).map((violation) => violation.rule)).toContain(rule);
  });

  it('finds nothing in a run in which nothing goes wrong', () => {
    const queued = [QUEUED, { ...QUEUED, id: 'b', body: '{"stage":"act","signalId":"tg-2"}' }];
    const complaints = ['log-1: {"event":"witness-refused"}'];
    // The release of that run stored no attempt that nobody could read.
    const isStored = ({ request }: Received): boolean => !request.body.includes('"content":"mute m6\\n\\n⟦situation');
    const asked = world('received', (list: Received[]) => list.filter(isStored));
    const problems = check(mutated(isQuiet({ complaints, queued }), asked));
    expect(problems.filter(({ rule }) => rule === 'quiet')).toStrictEqual([]);
  });

  it('finds nothing in the receipt of what was done', () => {
    expect(check(mutated(receipt({})))).toStrictEqual([]);
  });

  it('finds nothing in the rows of a turn that called and said so', () => {
    const rows = row(idOf('m2'), { state: 'acted', toolCalls: [{ tool: 'remember', state: 'done' }] });
    expect(check(mutated(rows))).toStrictEqual([]);
  });

  it('has a case for each rule', () => {
    expect([...new Set(CASES.map(([rule]) => rule))].sort()).toStrictEqual(RULES.map(({ name }) => name).sort());
  });

  it('excuses an unknown outcome if its answer was lost, or a process died meanwhile', () => {
    const unknown = line(effect('m1'), 'fixed.state', 'unknown');
    const { at } = findReceipt(honest, 'telegram', 'm1 said');
    const died = (ms: number) => world('troubles', [{ at: at + ms, kind: 'death' }]);
    const isDoubted = (...mutations: readonly Mutation[]) =>
      check(mutated(unknown, ...mutations)).some(({ rule }) => rule === 'seen-once');
    expect([
      isDoubted(),
      isDoubted(received('telegram', 'm1 said', 'isAnswerLost', true)),
      isDoubted(died(0)),
      isDoubted(died(HOUR_MS)),
    ]).toStrictEqual([true, false, false, true]);
  });

  it('excuses an unknown outcome by one failure of the table only if the text was sent', () => {
    const unknown = line(effect('m1'), 'fixed.state', 'unknown');
    const { at } = findReceipt(honest, 'telegram', 'm1 said');
    const failed = (count: number) =>
      world(
        'troubles',
        Array.from({ length: count }, () => ({ at, kind: 'store' })),
      );
    const isDoubted = (...mutations: readonly Mutation[]) =>
      check(mutated(unknown, ...mutations)).some(({ sentence }) => sentence.includes('nothing happened'));
    const neverSent: Mutation = (one) => {
      const request = findReceipt(one, 'telegram', 'm1 said');
      one.received = one.received.filter((other) => other !== request);
    };
    expect([isDoubted(failed(1)), isDoubted(failed(1), neverSent), isDoubted(failed(9), neverSent)]).toStrictEqual([
      false,
      true,
      false,
    ]);
  });

  it('imports no code of the product', () => {
    const files = readdirSync(FOLDER).filter((name) => name.endsWith('.ts'));
    const imported = files.flatMap((name) =>
      [...readFileSync(join(FOLDER, name), 'utf8').matchAll(/(?:\bfrom\s+|\bimport\s*\(?\s*)'([^']+)'/g)].map(
        ([, path = '']) => path,
      ),
    );
    const own = new Set(['node:crypto', '../types.ts', ...files.map((name) => `./${name}`)]);
    expect(imported.filter((path) => !own.has(path))).toStrictEqual([]);
    const types = readFileSync(join(FOLDER, '../types.ts'), 'utf8');
    expect(types).not.toContain('import');
  });
});

describe('canonicalText', () => {
  it('writes what RFC 8785 wants', () => {
    const value = { b: [1, 1e21, -0, 0.1, 'é\u2028"\\\n'], a: { '\u20ac': null, '\r': true, 1: false, z: {} }, é: [] };
    expect(canonicalText(value)).toBe(canonicalize(value));
    for (const text of honest.exported.trim().split('\n'))
      expect(canonicalText(JSON.parse(text))).toBe(canonicalize(JSON.parse(text)));
  });
});

describe('rootFrom', () => {
  it('leads from each leaf, by the proofs of the product, to the root of each size', () => {
    const leaves = Array.from({ length: 20 }, (_, n) => `leaf ${n}`);
    const hashAt = ({ level, index }: NodeRef) =>
      rootOf(
        appendLeaves(
          EMPTY_RANGE,
          leaves.slice(index << level, (index + 1) << level).map((leaf) => leafHash(Buffer.from(leaf))),
        ),
      );
    for (let size = 1; size <= leaves.length; size += 1)
      for (const [index, leaf] of leaves.slice(0, size).entries()) {
        const proof = buildProof(inclusionNodes(index, size), hashAt).map((hash) => Buffer.from(hash));
        expect(rootFrom(leaf, index, size, proof)).toBe(rootsAt(leaves, [size])[0]);
        expect(rootFrom(leaf, index, size, [...proof, Buffer.alloc(32)])).not.toBe(rootsAt(leaves, [size])[0]);
        if (size > 1) expect(rootFrom(leaf, index, size, proof.slice(1))).not.toBe(rootsAt(leaves, [size])[0]);
      }
  });
});

describe('rootsAt', () => {
  it('gives the roots that the log of the product gives, at every size', () => {
    const leaves = Array.from({ length: 70 }, (_, n) => `leaf ${n}`);
    const sizes = leaves.map((_, n) => n + 1);
    const expected = sizes.map((size) => {
      const hashes = leaves.slice(0, size).map((leaf) => leafHash(Buffer.from(leaf)));
      return Buffer.from(rootOf(appendLeaves(EMPTY_RANGE, hashes))).toString('base64');
    });
    expect(rootsAt(leaves, sizes)).toStrictEqual(expected);
  });
});

const LATEST = 20;
const CLAIMED = { state: 'claimed', tries: 1, claimedAt: 5, leaseUntil: 9 };
const DONE = { state: 'done', tries: 1, settledAt: 7 };
const RECORD = { state: 'perceived', sweeps: 0, round: 0, feedAt: 1, unfinishedAt: 2, unfinishedSpace: 'unfinished#s' };
const DAY = { usd: 30, tokens: 3, s_1: '["t",30,30,"r",30,3] telegram:1' };
const YES = {
  ...{ state: 'approved', decider: 'x', expiresAtMs: 40, reasons: ['r'], asks: ['r'] },
  unfinishedSpace: 'approvals#s',
};
const HEAD = { turn: 'tg-1', mailbox: ['tg-2', 'tg-3'], recent: [] };

// biome-ignore format: one change a line
const CHANGES: [sk: string, what: string, before: object | undefined, after: object, isFine?: boolean][] = [
  ['effect#0', 'ends', CLAIMED, DONE, true],
  ['effect#0', 'changes after its end', DONE, { ...DONE, output: 'x' }],
  ['effect#0', 'ends without a time', CLAIMED, { ...DONE, settledAt: undefined }],
  ['effect#0', 'is unknown, and no index has it', CLAIMED, { ...DONE, state: 'unknown' }],
  ['effect#0', 'waits, and no index has it', CLAIMED, { ...CLAIMED, waitingSince: 4 }],
  ['effect#0', 'is tried twice at once', CLAIMED, { ...CLAIMED, tries: 3 }],
  ['record', 'is swept', RECORD, { ...RECORD, sweeps: 1, round: 1, unfinishedAt: 3 }, true],
  ['record', 'is perceived again', { ...RECORD, state: 'reasoned' }, RECORD],
  ['record', 'leaves the index before its end', RECORD, { ...RECORD, unfinishedSpace: undefined }],
  ['record', 'ends, and the log is not told', RECORD, { ...RECORD, state: 'acted', ends: 1 }],
  ['record', 'tells a reply twice', { ...RECORD, replies: ['a'] }, { ...RECORD, replies: ['a', 'a'] }],
  ['record', 'waits for a model, and is swept', RECORD, { ...RECORD, modelWait: { dueAt: 9 } }],
  ['approval', 'is spent', YES, { ...YES, state: 'spent', spentAt: 3, unfinishedSpace: undefined }, true],
  ['approval', 'leaves the index before it is spent', YES, { ...YES, unfinishedSpace: undefined }],
  ['approval', 'leaves the index unspent, as its time is over', YES, { ...YES, expiresAtMs: LATEST, unfinishedSpace: undefined }, true],
  ['approval', 'waits for nobody when its time is over', undefined, { ...YES, state: 'pending', decider: undefined, expiresAtMs: LATEST, unfinishedSpace: undefined }],
  ['head', 'hands its turn on', HEAD, { turn: 'tg-2', mailbox: ['tg-3'], recent: ['tg-1'] }, true],
  ['head', 'skips a message', HEAD, { turn: 'tg-3', mailbox: ['tg-2'], recent: ['tg-1'] }],
  ['head', 'forgets its turn', HEAD, { turn: 'tg-2', mailbox: ['tg-3'], recent: [] }],
  ['head', 'rests while messages wait', HEAD, { mailbox: ['tg-2', 'tg-3'], recent: ['tg-1'] }],
  ['day', 'settles a call', DAY, { usd: 20, tokens: 2, s_1: '["t",20,20] telegram:1' }, true],
  ['day', 'settles a call for a conversation alone', DAY, { ...DAY, s_1: '["t",20,20] telegram:1' }],
  ['day', 'counts a job that is none', DAY, { ...DAY, jobs: 1 }],
];
const BEGUN_AT = 1_790_000_000_000;
const DECISION = {
  ...{ schemaVersion: 1, signalId: 'tg-1', at: BEGUN_AT, outcome: 'act', reason: '', gateSet: 'g' },
  ...{ policyVersion: 'p', attemptCount: 1, actions: '[]' },
};
const GRANT = {
  ...{ schemaVersion: 1, id: 'g', space: 's', session: 'telegram:1', policyVersion: 'p', gates: 'g', target: 'tool' },
  ...{ tool: 't', to: '', args: {}, usesMax: 3, uses: 0, state: 'live', createdAt: BEGUN_AT, createdBy: 'x' },
  ...{ fromSignal: 'tg-1', fromN: 0, expiresAtMs: BEGUN_AT + 86_400_000 },
};
const SENT = { schemaVersion: 1, expiresAt: BEGUN_AT / 1000 + 30 * 86_400 };

// biome-ignore format: one change a line
const ROWS: [pk: string, sk: string, what: string, before: object | undefined, after: object, isFine?: boolean][] = [
  ['signal#s#tg-1', 'decision', 'is stored whole', undefined, DECISION, true],
  ['signal#s#tg-1', 'decision', 'has no outcome', undefined, { ...DECISION, outcome: undefined }],
  ['signal#s#tg-1', 'decision', 'is written again as it was', DECISION, { ...DECISION, w0: 'x' }, true],
  ['signal#s#tg-1', 'decision', 'changes later', DECISION, { ...DECISION, reason: 'x' }],
  ['signal#s#tg-1', 'decision', 'is of next week', undefined, { ...DECISION, at: BEGUN_AT + 7 * 86_400_000 }],
  ['signal#s#tg-1', 'decision', 'counts its time in seconds', undefined, { ...DECISION, at: BEGUN_AT / 1000 }],
  ['signal#s#tg-1', 'decision', 'is kept for a day', undefined, { ...DECISION, expiresAt: BEGUN_AT / 1000 + 86_400 }],
  ['grant#s#g', 'record', 'is used', GRANT, { ...GRANT, uses: 1 }, true],
  ['grant#s#g', 'record', 'allows more than it did', GRANT, { ...GRANT, usesMax: 9 }],
  ['session#s#telegram:1', 'sent#4', 'is kept for 30 days', undefined, SENT, true],
  ['session#s#telegram:1', 'sent#4', 'is kept for three days', undefined, { ...SENT, expiresAt: SENT.expiresAt - 27 * 86_400 }],
  ['session#s#telegram:1', 'sent#4', 'is kept for good', undefined, { schemaVersion: 1 }],
];

describe('checkForm', () => {
  it.each(ROWS)('judges that %s %s %s', (pk, sk, _, before, after, isFine = false) => {
    const change = { pk, sk, before: before && { ...before }, after: { ...after } };
    const problems = checkForm(change, BEGUN_AT, BEGUN_AT + 1_000);
    expect(problems.length === 0, problems.join('; ')).toBe(isFine);
  });
});

const KINDS: Readonly<Record<string, string>> = { head: 'session', day: 'spend', approval: 'approval' };

describe('checkRow', () => {
  it.each(CHANGES)('judges a %s that %s', (sk, _, before, after, isFine = false) => {
    const key = { pk: `${KINDS[sk] ?? 'signal'}#s#1`, sk: sk === 'approval' ? 'record' : sk };
    const problems = checkRow({ ...key, before: before && { ...before }, after: { ...after } }, LATEST);
    expect(problems.length === 0, problems.join('; ')).toBe(isFine);
  });
});
