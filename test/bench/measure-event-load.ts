/**
 * Events on the running stack: how long one of GitHub takes to be accepted beside one of Standard
 * Webhooks, sent in turns; and whether events of one service get their model turns while another
 * service sends 1,000 in a minute, each for the model, or while loops call each door without proof.
 */
import { createHmac } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';
import { callDynamo } from '../../infra/local/database.ts';
import { type StackChild, startModel, startStackChild } from './children.ts';
import { quantile } from './drive.ts';
import type { Measure } from './measure.ts';
import { modelSettings, NO_HEARTBEAT_S } from './measure-turns.ts';
import type { Row } from './report.ts';

const SECRET = 'a-secret-of-the-benchmark';
const STANDARD = `whsec_${Buffer.from('a secret of at least 24 bytes').toString('base64')}`;
const INGRESS_EVENTS = 300;
const INGRESS_RATIO_MAX = 1.1;
const NOISY_EVENTS = 1_000;
const MINUTE_MS = 60_000;
const QUIET_EVENTS = 12;
/** A quiet event whose turn has not ended by then has lost it. */
const TURN_MS_MAX = 30_000;

const FLOOD_LOOPS = 12;
const FLOOD_BYTES = 200_000;
const FLOOD_RATIO_MAX = 2;

let sent = 0;

/** @returns its signal's id, and how long the acceptance took */
const post = async (
  { url }: StackChild,
  source: string,
  body: string,
  headersOf: (id: string) => Record<string, string>,
) => {
  sent += 1;
  const headers = { 'content-type': 'application/json', ...headersOf(`e-${sent}`) };
  const since = performance.now();
  const answer = await fetch(`${url}/webhook/${source}`, { method: 'POST', headers, body });
  const { id = '' } = (await answer.json()) as { readonly id?: string };
  const ms = performance.now() - since;
  if (answer.status !== 202) throw new Error(`an event of ${source} was answered ${answer.status}`);
  return { id, ms };
};

const bodyOf = (n: number): string =>
  JSON.stringify({ type: 'push', ref: `refs/heads/b-${n}`, pusher: { name: 'ada' }, words: 'x'.repeat(6_000) });
const asGitHub = (body: string) => (id: string) => ({
  'x-hub-signature-256': `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`,
  'x-github-delivery': id,
  'x-github-event': 'push',
});
const asStandard = (body: string) => (id: string) => {
  const at = new Date();
  return {
    'webhook-id': id,
    'webhook-timestamp': `${Math.floor(at.getTime() / 1000)}`,
    'webhook-signature': new Webhook(STANDARD).sign(id, at, body),
  };
};
const sendGitHub = (stack: StackChild, source: string, n: number) =>
  post(stack, source, bodyOf(n), asGitHub(bodyOf(n)));

const measureIngress = async (stack: StackChild): Promise<Row> => {
  const times: Record<'github' | 'standard', number[]> = { github: [], standard: [] };
  for (let n = 0; n < INGRESS_EVENTS; n += 1) {
    times.github.push((await sendGitHub(stack, 'ingress', n)).ms);
    times.standard.push((await post(stack, 'plain', bodyOf(n), asStandard(bodyOf(n)))).ms);
  }
  const [github, standard] = [quantile(times.github, 0.5), quantile(times.standard, 0.5)];
  return {
    group: 'events of services',
    name: 'accepting an event of GitHub, p50, against one of Standard Webhooks',
    value: github / standard,
    unit: '×',
    goal: { is: '≤', value: INGRESS_RATIO_MAX },
    note: `${github.toFixed(1)} ms and ${standard.toFixed(1)} ms, ${INGRESS_EVENTS} of each in turns`,
  };
};

const stateOf = async ({ dynamodb, tableName }: StackChild, id: string): Promise<string | undefined> => {
  const Key = { pk: { S: `signal#default#${id}` }, sk: { S: 'record' } };
  const request = { TableName: tableName, Key, ConsistentRead: true };
  const { Item } = (await callDynamo(dynamodb, 'GetItem', request)) as { Item?: { state?: { S: string } } };
  return Item?.state?.S;
};

/** Milliseconds from sending an event until its turn has ended; undefined if it got none. */
const turnOf = async (stack: StackChild, n: number): Promise<number | undefined> => {
  const since = performance.now();
  const { id } = await sendGitHub(stack, 'quiet', n);
  while (performance.now() - since < TURN_MS_MAX) {
    const state = await stateOf(stack, id);
    if (state === 'acted') return performance.now() - since;
    if (state === 'dropped' || state === 'dead-lettered') return undefined;
    await sleep(5);
  }
  return undefined;
};

const quietTurns = async (stack: StackChild, pauseMs: number): Promise<readonly number[]> => {
  const times: number[] = [];
  for (let n = 0; n < QUIET_EVENTS; n += 1) {
    const since = performance.now();
    times.push(...[await turnOf(stack, sent)].filter((ms) => ms !== undefined));
    await sleep(Math.max(pauseMs - (performance.now() - since), 0));
  }
  return times;
};

const measureNoise = async (stack: StackChild): Promise<readonly Row[]> => {
  await quietTurns(stack, 0);
  const alone = await quietTurns(stack, 0);
  let accepted = 0;
  const noise = async (): Promise<void> => {
    const since = performance.now();
    const pending: Promise<unknown>[] = [];
    for (let n = 0; n < NOISY_EVENTS; n += 1) {
      await sleep(Math.max((n * MINUTE_MS) / NOISY_EVENTS - (performance.now() - since), 0));
      pending.push(
        sendGitHub(stack, 'noisy', n).then(() => {
          accepted += 1;
        }),
      );
    }
    await Promise.all(pending);
  };
  const [, beside] = await Promise.all([noise(), quietTurns(stack, MINUTE_MS / QUIET_EVENTS)]);
  const group = 'events of services';
  return [
    {
      group,
      name: `turns of ${QUIET_EVENTS} events of a service while another sends ${NOISY_EVENTS} in a minute, all for the model`,
      value: beside.length,
      unit: '',
      goal: { is: '≥', value: QUIET_EVENTS },
      note: `${accepted} of the others were accepted`,
    },
    {
      group,
      name: 'the same: until such a turn has ended, p50, against alone',
      value: quantile(beside, 0.5) / quantile(alone, 0.5),
      unit: '×',
      note: `${quantile(beside, 0.5).toFixed(0)} ms and ${quantile(alone, 0.5).toFixed(0)} ms; worst ${quantile(beside, 1).toFixed(0)} ms`,
    },
  ];
};

/** What a stranger may call: without a signature, secret, token or key. */
type Door = readonly [door: string, method: string, path: string, headers?: Readonly<Record<string, string>>];
const DOORS: readonly Door[] = [
  ['a webhook', 'POST', '/webhook/noisy'],
  [
    'a webhook by a made-up signature',
    'POST',
    '/webhook/noisy',
    { 'x-hub-signature-256': `sha256=${'0'.repeat(64)}`, 'x-github-event': 'push', 'x-github-delivery': 'e' },
  ],
  ['a webhook of no such name', 'POST', '/webhook/nobody'],
  ['Telegram', 'POST', '/telegram'],
  ['a message', 'POST', '/api/messages'],
  ['an approval', 'POST', `/api/approvals/${'0'.repeat(32)}`],
  ['the stop', 'POST', '/api/stop'],
  ['a machine', 'POST', '/runner/poll'],
  ['health', 'GET', '/health'],
  ['the page', 'GET', '/'],
];

/** The owner's turns while loops call a door, each as soon as it is answered. */
const measureDoor = async (stack: StackChild, [door, method, path, headers = {}]: Door, idle: number): Promise<Row> => {
  const body = method === 'POST' ? 'x'.repeat(FLOOD_BYTES) : undefined;
  let isOver = false;
  let calls = 0;
  const loop = async (): Promise<void> => {
    while (!isOver) {
      // A refusal before the body is read may close the connection.
      await fetch(`${stack.url}${path}`, { method, headers, body: body ?? null }).then(
        (answer) => answer.text(),
        () => '',
      );
      calls += 1;
    }
  };
  const loops = Array.from({ length: FLOOD_LOOPS }, loop);
  const beside = await quietTurns(stack, 0);
  isOver = true;
  await Promise.all(loops);
  const under = quantile(beside, 0.5);
  return {
    group: 'events of services',
    name: `a turn while ${FLOOD_LOOPS} loops call ${door} without proof${body === undefined ? '' : `, with ${FLOOD_BYTES / 1000} KB`}, p50, against alone`,
    value: beside.length < QUIET_EVENTS ? Number.POSITIVE_INFINITY : under / idle,
    unit: '×',
    goal: { is: '≤', value: FLOOD_RATIO_MAX },
    note: `${under.toFixed(0)} ms and ${idle.toFixed(0)} ms; ${calls} calls`,
  };
};

const measureFloods = async (stack: StackChild): Promise<readonly Row[]> => {
  await quietTurns(stack, 0);
  const rows: Row[] = [];
  for (const door of DOORS) {
    // Alone and beside in turns: a machine is not the same for minutes.
    const idle = quantile(await quietTurns(stack, 0), 0.5);
    rows.push(await measureDoor(stack, door, idle));
  }
  return rows;
};

export const measureEventLoad: Measure = async ({ scratch, cacheDir, progress }) => {
  const model = await startModel();
  const entry = { scheme: 'github', secret: SECRET };
  const sources = { ingress: entry, plain: STANDARD, noisy: entry, quiet: entry };
  const open = (name: string, withoutJob: string) =>
    startStackChild({
      ...{ dataDir: mkdtempSync(join(scratch, `${name}-`)), cacheDir, heartbeatIntervalSeconds: NO_HEARTBEAT_S },
      environment: {
        ...modelSettings(model.baseUrl),
        ...{ WEBHOOK_SECRETS: JSON.stringify(sources), EVENTS_WITHOUT_JOB: withoutJob },
      },
    });
  const during = async <T>(name: string, withoutJob: string, use: (stack: StackChild) => Promise<T>): Promise<T> => {
    const stack = await open(name, withoutJob);
    try {
      return await use(stack);
    } finally {
      await stack.close();
    }
  };
  try {
    progress('events: acceptance');
    const ingress = await during('ingress', 'record', measureIngress);
    progress('events: a noisy service');
    const noise = await during('noise', 'ask', measureNoise);
    progress('events: floods at each door');
    return [ingress, ...noise, ...(await during('flood', 'ask', measureFloods))];
  } finally {
    await model.close();
  }
};
