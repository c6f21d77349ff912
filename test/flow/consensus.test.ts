/**
 * Second opinions over the whole real stack: three model servers that agree, disagree or fail about
 * a proposal of high impact; what is taken, what a person is asked, what is recorded, replayed and
 * paid.
 */
import { copyFileSync, existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
import { parseDaySpend, sessionEntry, spendKey } from '../../lib/core/money/day-spend.ts';
import { Attempt } from '../../lib/core/signal/decision.ts';
import { eraseAttempt } from '../../lib/core/stages/act/erase-replies.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import type { Item } from '../../lib/core/store/table.ts';
import { replayEvidence } from '../../lib/core/verbs/signals/replay-evidence.ts';
import { Evidence } from '../../lib/core/verbs/signals/signal-evidence.ts';
import type { SignalView } from '../../lib/core/verbs/signals/view.ts';
import { runCli } from '../cli/cli-world.ts';
import { passDayEnd } from '../support/day-end.ts';
import {
  call,
  type ModelServer,
  type ScriptedAnswer,
  say,
  startModelServer,
  toolResultsOf,
} from '../support/model-server.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';
import { startTarget } from '../support/target.ts';

const explanation = 'because the owner asked for exactly this';
const deploy = (ref: string, why = explanation): ScriptedAnswer =>
  call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: why });
const NAMES = ['one', 'two', 'three'] as const;
type Name = (typeof NAMES)[number];
/** First answer of each; after a result all answer "ok". */
const says = new Map<Name, ScriptedAnswer>();

const models: ModelServer[] = [];
const hook = await startTarget();
const called = () => hook.posts.map(({ body }) => body);
await passDayEnd();
for (const name of NAMES)
  models.push(
    await startModelServer((request) =>
      toolResultsOf(request).length > 0 ? say('ok') : (says.get(name) ?? say(`${name} says hello`)),
    ),
  );
const row = (index: number) => ({
  baseUrl: models[index]?.baseUrl,
  model: `model-${index}`,
  prices: { prompt: 1, completion: 2 },
});
const world = await startTestStack({
  isPolling: false,
  environment: {
    PROVIDERS: JSON.stringify({ one: row(0), two: row(1), three: row(2) }),
    PROVIDER_KEYS: '{"one": "key-of-one-123", "two": "key-of-two-123", "three": "key-of-three-123"}',
    PROVIDER_CASCADE: 'one,two,three',
    OPENAI_BASE_URL: undefined,
    CONSENSUS_PROVIDERS: '3',
    ...hook.environmentOf('deploys'),
  },
});
const text = '@id("free") permit(principal, action == Action::"call-webhook", resource);';
const set = await world.api('POST', '/api/policy', { text }, APPROVER_TOKEN);
expect(set.status).toBe(200);
afterAll(async () => {
  await world.stop();
  for (const model of models) await model.close();
  hook.close();
});

/** The cost of a conversation's calls, micro-dollars. */
const spentIn = async (session: string) => {
  const [item] = await world.table.load([spendKey('default', Date.now())], { isConsistent: true });
  return sessionEntry(parseDaySpend(item), session)?.usd;
};
beforeEach(async () => {
  says.clear();
  hook.posts.length = 0;
  const [item] = await world.table.load([spendKey('default', Date.now())], { isConsistent: true });
  const marks = Object.keys(item ?? {}).filter((name) => name.startsWith('h_'));
  if (marks.length > 0) await world.table.update(spendKey('default', Date.now()), { remove: marks });
});

let conversations = 0;
const talk = async (text: string): Promise<SignalView> => {
  conversations += 1;
  const session = `c${conversations}`;
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session });
  return world.settled(body.id);
};
const parseAttempt = ([item]: readonly (Item | undefined)[]): Attempt => {
  const { pk: _pk, sk: _sk, ...rest } = item ?? {};
  return Attempt.parse(rest);
};
const sayIn = async (session: string, text: string): Promise<string> => {
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', {
    text,
    session: session.replace('console:', ''),
  });
  return (await world.settled(body.id)).replies.join('\n');
};
const askedOf = (before: readonly number[]) =>
  models.map(({ requests }, index) => requests.length - (before[index] ?? 0));
const counts = () => models.map(({ requests }) => requests.length);
const votesOf = ({ decision }: SignalView) =>
  decision?.consensus?.votes.map(({ provider, verdict, form }) => [provider, verdict, form !== undefined]);
const replayKinds = async (id: string) => {
  const { body } = await world.api('GET', `/api/signals/${id}/evidence`);
  return new Set(replayEvidence(GATE_SET, Evidence.parse(body)).map(({ kind }) => kind));
};

describe('a proposal of high impact', () => {
  it('is taken where all propose the same, however they explain it', async () => {
    says.set('one', deploy('main'));
    says.set('two', deploy('main', 'since somebody wants it, and for other reasons'));
    says.set('three', deploy('main'));
    const before = counts();
    const view = await talk('deploy main');
    expect(called()).toStrictEqual(['{"ref":"main"}']);
    expect(view.decision?.consensus?.outcome).toBe('agreed');
    expect(votesOf(view)).toStrictEqual([
      ['one', 'pass', true],
      ['two', 'pass', true],
      ['three', 'pass', true],
    ]);
    expect(new Set(view.decision?.consensus?.votes.map(({ form }) => form)).size).toBe(1);
    expect(askedOf(before)).toStrictEqual([2, 1, 1]);
    expect(view.decision?.attempts.map(({ n, provider, isVote }) => [n, provider, isVote])).toStrictEqual([
      [1, 'one', undefined],
      [4, 'two', true],
      [5, 'three', true],
    ]);
    expect(await replayKinds(view.id)).toStrictEqual(new Set(['identical']));
    // Four calls of 10 and 5 tokens at $1 and $2 a million, each with whom it was.
    expect(await spentIn(view.session)).toBe(80);
    const { body } = await world.api<{ lines: string[] }>('GET', `/api/cost?period=session&name=${view.session}`);
    expect(body.lines.slice(1, 4).map((line) => line.split(',')[0])).toStrictEqual([
      'one/model-0: 2 calls',
      'two/model-1: 1 call',
      'three/model-2: 1 call',
    ]);
  });

  it('is replaced by what most propose, also where the first one asked is alone with his', async () => {
    says.set('one', deploy('main'));
    says.set('two', deploy('stable'));
    says.set('three', deploy('stable', 'it was said that the stable one is meant'));
    const view = await talk('deploy it');
    expect(called()).toStrictEqual(['{"ref":"stable"}']);
    expect(view.decision?.consensus).toMatchObject({ outcome: 'majority', taken: 4 });
    expect(view.decision?.actions[0]?.trace.some(({ verdict }) => verdict === 'ask')).toBe(false);
    expect(await replayKinds(view.id)).toStrictEqual(new Set(['identical']));
  });

  it('is asked about where each proposes something else; the card says who, and a yes performs it', async () => {
    says.set('one', deploy('main'));
    says.set('two', deploy('stable'));
    says.set('three', deploy('next'));
    const view = await talk('deploy something');
    expect(called()).toStrictEqual([]);
    // The names of the providers break the tie.
    expect(view.decision?.consensus).toMatchObject({ outcome: 'safest', taken: 1 });
    expect(view.decision?.actions[0]?.trace.filter(({ verdict }) => verdict === 'ask')).toStrictEqual([
      {
        gate: 'high-impact',
        verdict: 'ask',
        reason: 'the models do not agree: of 3 asked, two and three proposed something else',
      },
    ]);
    const { body } = await world.api<{ approvals: { id: string; signalId: string; reasons: string[] }[] }>(
      'GET',
      '/api/approvals',
      undefined,
      APPROVER_TOKEN,
    );
    const approval = body.approvals.find(({ signalId }) => signalId === view.id);
    expect(approval?.reasons).toStrictEqual([
      'the models do not agree: of 3 asked, two and three proposed something else',
    ]);
    await world.api('POST', `/api/approvals/${approval?.id}`, { decision: 'approve' }, APPROVER_TOKEN);
    await until('it is done', () => hook.posts.length === 1);
    expect(called()).toStrictEqual(['{"ref":"main"}']);
    await world.settled(view.id);
    expect(await replayKinds(view.id)).toStrictEqual(new Set(['identical']));
    const why = await sayIn(view.session, `/why ${view.id}`);
    expect(why).toContain('Models asked: 3; they did not agree; the safest proposal was taken');
    expect(why).toMatch(/ {2}one\/model-0: [0-9a-f]{12} \(pass\), taken\n {2}two\/model-1: [0-9a-f]{12} \(pass\)\n/);
  });

  it('gives way to a plain answer where nothing has a majority', async () => {
    says.set('one', deploy('main'));
    says.set('two', say('Which one do you mean?'));
    says.set('three', deploy('next'));
    const view = await talk('deploy something');
    expect(view.replies).toStrictEqual(['Which one do you mean?']);
    expect(view.decision?.consensus).toMatchObject({ outcome: 'safest', taken: 4 });
    expect(view.state).toBe('acted');
    expect(called()).toStrictEqual([]);
  });

  it('is asked about where nobody else answers: who fails is no vote, and is asked last from then on', async () => {
    says.set('one', deploy('main'));
    says.set('two', { kind: 'status', status: 500 });
    says.set('three', { kind: 'raw', body: '<html>busy</html>', contentType: 'text/html' });
    const view = await talk('deploy main');
    expect(votesOf(view)).toStrictEqual([
      ['one', 'pass', true],
      ['two', 'none', false],
      ['three', 'none', false],
    ]);
    expect(view.decision?.consensus?.outcome).toBe('alone');
    expect(view.decision?.actions[0]?.trace.find(({ verdict }) => verdict === 'ask')?.reason).toBe(
      'no second model could be asked about it',
    );
    const [item] = await world.table.load([spendKey('default', Date.now())], { isConsistent: true });
    expect(Object.keys(item ?? {}).filter((name) => name.startsWith('h_'))).toHaveLength(2);
    expect(JSON.stringify(await world.scan())).not.toContain('body-secret-text');
  });

  it('counts by those who answer: two of two that say the same are enough', async () => {
    says.set('one', deploy('main'));
    says.set('two', deploy('main'));
    says.set('three', { kind: 'reset' });
    const view = await talk('deploy main');
    expect(view.decision?.consensus?.outcome).toBe('agreed');
    expect(called()).toStrictEqual(['{"ref":"main"}']);
  });

  it('is never taken where the gates block it, however many propose it', async () => {
    says.set('one', deploy('main'));
    for (const name of ['two', 'three'] as const) says.set(name, deploy('main', 'x'));
    const view = await talk('deploy main');
    expect(votesOf(view)?.map(([, verdict]) => verdict)).toStrictEqual(['pass', 'block', 'block']);
    expect(view.decision?.consensus).toMatchObject({ outcome: 'agreed', taken: 1 });
    says.set('one', deploy('main'));
    for (const name of ['two', 'three'] as const) says.set(name, deploy('elsewhere', 'x'));
    const other = await talk('deploy main');
    expect(other.decision?.consensus).toMatchObject({ outcome: 'safest', taken: 1 });
    expect(other.turn).toBe('waiting');
  });
});

describe('anything else', () => {
  it('asks nobody else', async () => {
    const before = counts();
    const view = await talk('hello');
    expect(view.replies).toStrictEqual(['one says hello']);
    expect(view.decision?.consensus).toBeUndefined();
    expect(askedOf(before)).toStrictEqual([1, 0, 0]);
  });
});

describe('what was asked of others', () => {
  it('is part of the evidence, and told on the command line', async () => {
    says.set('one', deploy('main'));
    says.set('two', deploy('stable'));
    says.set('three', deploy('stable'));
    const { id } = await talk('deploy it for the record');
    await world.tick();
    await until('the log has it all', async () => {
      const { body } = await world.api<{ isWaiting: boolean }>('GET', '/api/log');
      return !body.isWaiting;
    });
    const [file, anchor] = [join(world.dataDir, 'evidence.jsonl'), join(world.dataDir, 'anchor.txt')];
    const anchors = join(world.dataDir, 'anchors', 'default.txt');
    await until('there is an anchor', () => existsSync(anchors));
    copyFileSync(anchors, anchor);
    const cli = (...words: readonly string[]) => runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
    expect((await cli('evidence', 'export', '--out', file)).code).toBe(0);
    const record = readFileSync(file, 'utf8')
      .split('\n')
      .find((line) => line.includes(`"${id}"`) && line.includes('"isVote":true'));
    expect(record).toBeDefined();
    const verified = await cli('verify', file, '--anchor', anchor);
    expect(verified, verified.out).toMatchObject({ code: 0, err: '' });
    const why = (await cli('why', id)).out;
    expect(why).toContain('Models asked: 3; most proposed the same');
    expect(why).toMatch(/Second opinion 5 by three\/model-2/);
  });

  it('is forgotten with what the owner forgets', async () => {
    says.set('one', deploy('a-word-to-forget'));
    says.set('two', deploy('a-word-to-forget-too'));
    says.set('three', say('no'));
    const { id } = await talk('deploy something odd');
    const attempts = async () => {
      const { items } = await world.table.query({ pk: signalKeys.partition('default', id), skPrefix: 'attempt#' });
      return items.map(({ sk, ...rest }) => [sk, JSON.stringify(rest).includes('a-word-to-forget')]);
    };
    expect(await attempts()).toStrictEqual([
      ['attempt#1', true],
      ['attempt#4', true],
      ['attempt#5', false],
    ]);
    const erased = eraseAttempt(parseAttempt(await world.table.load([signalKeys.attempt('default', id, 4)])));
    expect(JSON.stringify(erased)).not.toContain('a-word-to-forget');
    expect([erased.isVote, erased.provider]).toStrictEqual([true, 'two']);
  });
});
