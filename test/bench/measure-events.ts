/**
 * What an event of a service costs: the tokens of a GitHub push in a prompt, as its form and as the
 * JSON that GitHub sends, and the table requests of an event beside those of a plain turn.
 */
import { createHmac } from 'node:crypto';
import { estimateTokens } from '../../lib/core/base/estimate-tokens.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { findRunbook } from '../../lib/features/runbooks/find-runbook.ts';
import { parseSources } from '../../lib/features/webhooks/edge/sources.ts';
import { parseWebhookRequest } from '../../lib/features/webhooks/edge/webhook-event.ts';
import { countingTable } from '../core/memory/counting-table.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';
import type { Measure } from './measure.ts';
import { measureEventLoad } from './measure-event-load.ts';
import type { Row } from './report.ts';

const SECRET = 'a-secret-of-the-benchmark';
const PUSH_TOKENS_MAX = 200;
const REQUESTS_MORE_MAX = 2;

const user = (login: string) => ({
  ...{ login, id: 583231, node_id: 'MDQ6VXNlcjU4MzIzMQ==', type: 'User', site_admin: false },
  ...Object.fromEntries(
    ['followers', 'following', 'gists', 'starred', 'subscriptions', 'organizations', 'repos', 'events'].map((name) => [
      `${name}_url`,
      `https://api.github.com/users/${login}/${name}`,
    ]),
  ),
});
const author = { name: 'Ada', email: 'ada@example.com', username: 'ada' };
const commit = (n: number) => ({
  ...{ id: `${n}`.repeat(40), tree_id: 'f'.repeat(40), distinct: true, timestamp: '2026-01-15T12:00:00+01:00' },
  ...{ message: `Mend the clock, part ${n}\n\nIt was late by an hour in summer.`, author, committer: author },
  url: `https://github.com/ada/clock/commit/${`${n}`.repeat(40)}`,
  ...{ added: [], removed: [], modified: [`src/clock-${n}.ts`, `test/clock-${n}.test.ts`] },
});
/** Members and lengths as in docs.github.com, "Webhook events and payloads: push". */
const PUSH = JSON.stringify({
  ...{ ref: 'refs/heads/main', before: 'a'.repeat(40), after: 'b'.repeat(40), created: false, deleted: false },
  repository: {
    ...{ id: 186853002, name: 'clock', full_name: 'ada/clock', private: false, owner: user('ada') },
    ...Object.fromEntries(
      [
        'forks',
        'keys',
        'hooks',
        'issues',
        'tags',
        'blobs',
        'trees',
        'commits',
        'merges',
        'pulls',
        'labels',
        'releases',
      ].map((name) => [`${name}_url`, `https://api.github.com/repos/ada/clock/${name}{/number}`]),
    ),
  },
  ...{
    pusher: author,
    sender: user('ada'),
    compare: 'https://github.com/ada/clock/compare/aaaaaaaaaaaa...bbbbbbbbbbbb',
  },
  ...{ commits: [1, 2, 3].map(commit), head_commit: commit(3) },
});

/** @param event GitHub's name of it; one without a form is shown as JSON */
const pushAs = async (event: string, space: string, now: number): Promise<Signal> => {
  const headers = {
    'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(PUSH).digest('hex')}`,
    'x-github-delivery': 'd-1',
    'x-github-event': event,
  };
  const { sources } = parseSources(JSON.stringify({ github: { scheme: 'github', secret: SECRET } }));
  const parsed = await parseWebhookRequest({
    ...{ method: 'POST', name: 'github', query: new URLSearchParams(), pathToken: undefined, headers, sources },
    ...{ now, space, homeChat: '7', bytes: Buffer.from(PUSH), fetchText: () => Promise.reject(new Error('no fetch')) },
  });
  if (parsed.kind !== 'signal') throw new Error(`the push was answered with ${parsed.kind}`);
  return parsed.signal;
};

const textOf = ({ payload }: Signal): string =>
  payload.sensor === 'webhook' ? payload.text.map(({ text }) => text).join('\n') : '';

type Case = 'turn' | 'asked' | 'told';

const costOf = async (dynamo: TestDynamo, which: Case) => {
  const space = `events-${which}`;
  const { counting, during } = countingTable(dynamo.table);
  const simulation = buildSimulation({ table: counting, space, answer: () => ({ content: 'Here it is' }) });
  const now = simulation.now();
  const text = [{ text: 'Hello', origin: 'owner' as const }];
  const signal =
    which === 'turn'
      ? signalWith(space, 'con-1', { sensor: 'chat-message', text }, '7', now)
      : await pushAs('push', space, now);
  if (which === 'told') {
    const hash = (await findRunbook(dynamo.table, space, 'tell'))?.hash ?? '';
    const work = { kind: 'runbook', runbook: 'tell', hash, inputs: {} } as const;
    const when = { kind: 'event', source: 'github' } as const;
    await makeJob(dynamo.table, space, sampleJob({ when, work, promises: 'nothing' }), now);
  }
  const { reads, writes } = await during(async () => {
    await simulation.accept(signal);
    await simulation.drain();
  });
  if (simulation.sent.length !== 1) throw new Error(`${which}: ${simulation.sent.length} texts were sent`);
  return { requests: reads + writes, models: simulation.modelCalls() };
};

/** Both parts: what an event costs, and the stack under many of them. */
export const measureEvents: Measure = async (context) => [
  ...(await measureEventCosts(context)),
  ...(await measureEventLoad(context)),
];

export const measureEventCosts: Measure = async ({ progress }) => {
  progress('events');
  await using dynamo = await startDynamo();
  const [form, json] = await Promise.all(['push', 'push_v0'].map((event) => pushAs(event, 'events', 0)));
  const turn = await costOf(dynamo, 'turn');
  const asked = await costOf(dynamo, 'asked');
  const told = await costOf(dynamo, 'told');
  const group = 'events of services';
  const rows: readonly Row[] = [
    {
      group,
      name: 'prompt tokens of a GitHub push, as its form',
      value: form === undefined ? 0 : estimateTokens(textOf(form)),
      unit: '',
      goal: { is: '≤', value: PUSH_TOKENS_MAX },
    },
    {
      group,
      name: 'as the JSON that GitHub sends',
      value: json === undefined ? 0 : estimateTokens(textOf(json)),
      unit: '',
      note: `${PUSH.length} bytes`,
    },
    { group, name: 'table requests of a plain turn', value: turn.requests, unit: '' },
    {
      group,
      name: 'of an event that the model answers, more',
      value: asked.requests - turn.requests,
      unit: '',
      goal: { is: '≤', value: REQUESTS_MORE_MAX },
    },
    { group, name: 'of an event that a job tells', value: told.requests, unit: '' },
    {
      group,
      name: 'model calls of an event that a job tells',
      value: told.models,
      unit: '',
      goal: { is: '≤', value: 0 },
    },
  ];
  return rows;
};
