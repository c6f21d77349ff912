/**
 * What is wrong, as `/doctor`, `/health` and the command say it: nothing while all is well, though
 * everything was used; then each finding once, and gone once its command has mended it.
 */
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { cpSync, readFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../lib/core/base/limits.ts';
import { quotaKey, refusedChange } from '../../lib/core/ledger/quota.ts';
import { noteAnchorProblem, noteLogProblem } from '../../lib/core/log/log-problem.ts';
import { spendKey } from '../../lib/core/money/day-spend.ts';
import { indexPartitions, jobKeys, runnerKeys, settingKey, signalKeys } from '../../lib/core/store/keys.ts';
import { noteBackup } from '../../lib/features/backup/last-backup.ts';
import { changeJob } from '../../lib/features/jobs/change-job.ts';
import { loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { beginOccurrence } from '../../lib/features/jobs/write-occurrence.ts';
import { buildOrderRowItem } from '../../lib/features/runner/order-row.ts';
import { countSkillUse } from '../../lib/features/skills/skill-use.ts';
import { traceKey } from '../../lib/features/traces/state.ts';
import { FEATURE_VIEWS } from '../../lib/features/views.ts';
import { refusalTexts, sayRefusal } from '../../lib/features/webhooks/refusal-texts.ts';
import { buildNoteUnproven } from '../../lib/features/webhooks/unproven-requests.ts';
import { noteWitnessProblems } from '../../lib/features/witnesses/witness-problems.ts';
import { runCli } from '../cli/cli-world.ts';
import { buildSignal, putSignal } from '../core/edge/console/stored-fixtures.ts';
import { buildOrder } from '../features/runner/orders.ts';
import { DEFAULT_CAPS } from '../support/default-caps.ts';
import { type StrangeServer, startStrangeServer, tool } from '../support/mcp-server.ts';
import { mendsIn } from '../support/mends.ts';
import { say } from '../support/model-server.ts';
import { ALLOWED, pairClient, type RunnerClient } from '../support/runner-client.ts';
import { APPROVER_TOKEN, LOG_SIGNING_KEY, startTestStack, type TestStack, until } from '../support/stack.ts';

const SPACE = 'default';
const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const OTHER_SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;

let offered = tool('find_issue');
let server: StrangeServer;
let releases: Server;
let world: TestStack;
let runner: RunnerClient;
beforeAll(async () => {
  server = await startStrangeServer(({ method }) => (method === 'tools/list' ? { tools: [offered] } : undefined));
  releases = createServer((_, response) => void response.end('{"version": "99.0.0"}')).listen(0, '127.0.0.1');
  await once(releases, 'listening');
  world = await startTestStack({
    script: () => say('ok'),
    isPolling: false,
    environment: {
      PROVIDER_NAMES: 'custom',
      WEBHOOK_SECRETS: JSON.stringify({ ci: SECRET, deploys: OTHER_SECRET }),
      ALLOW_LOOPBACK_WEBHOOKS: '1',
      RELEASE_URL: `http://127.0.0.1:${(releases.address() as AddressInfo).port}/`,
    },
  });
});
afterAll(async () => {
  runner?.close();
  await world?.stop();
  await server?.close();
  releases?.close();
});

const env = { APPROVER_TOKEN, LOG_SIGNING_KEY, BACKUP_PASSPHRASE: 'seven quiet herons cross the bay' };
const cli = async (...words: readonly string[]) => {
  const { code, out, err } = await runCli(words, world.dataDir, { env });
  expect({ words, code, err }).toStrictEqual({ words, code: 0, err: expect.any(String) });
  return out;
};

interface Doctor {
  readonly canAnswer: boolean;
  readonly because?: string;
  readonly findings: readonly string[];
  readonly lines: readonly string[];
}

/** The page and `/health` say the same. */
const look = async (): Promise<Doctor> => {
  const { body } = await world.api<Doctor>('GET', '/api/doctor');
  const health = await world.api<{ reasons: readonly string[] }>('GET', '/health');
  expect(health.body.reasons).toStrictEqual(body.findings);
  return body;
};

const event = async (id: string) => {
  const [body, at] = [JSON.stringify({ type: 'push' }), new Date()];
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(SECRET).sign(id, at, body),
  };
  const answer = await fetch(`${world.stack.url}/webhook/ci`, { method: 'POST', headers, body });
  expect(answer.status).toBe(202);
};

const acceptOffer = async () => {
  const out = await cli('mcp', 'add', 'tracker', server.url);
  return cli('mcp', 'accept', 'tracker', /mcp accept \w+ ([0-9a-f]{12})/.exec(out)?.[1] ?? '');
};

const backUp = (name: string) => cli('backup', join(world.dataDir, name));

it('says nothing while all is well, though everything was used', async () => {
  await cli('send', 'hello');
  await cli('jobs', 'add', 'tea', '--every', '1h', 'Drink tea');
  await cli('jobs', 'run', 'tea');
  await event('e1');
  await acceptOffer();
  runner = await pairClient(world, 'home');
  const skill = join(world.dataDir, 'invoice-check');
  cpSync(join(ROOT, 'test/fixtures/skills/invoice-check'), skill, { recursive: true });
  await cli('skill', 'add', skill);
  await cli('send', 'invoice check: 1 x 2 = 3');
  await backUp('one.backup');
  await until('all has ended', async () => {
    await world.tick();
    const open = (await world.scan()).filter(({ state }) => ['received', 'perceived', 'reasoned'].includes(`${state}`));
    return open.length === 0;
  });
  expect(await look()).toMatchObject({ canAnswer: true, findings: [] });
  const looked = await cli('doctor');
  expect(looked).toMatch(/^It can answer: yes\.$/m);
  expect(looked).not.toContain('wrong');
  const said = await cli('send', '/doctor');
  expect(said).toContain('It can answer: yes.\nNothing is wrong.\n');
});

it('says of a newer release that it is out, once a tick has looked it up', async () => {
  await world.tick();
  expect(await cli('doctor')).toMatch(/^ok {5}release {5}.*; 99\.0\.0 is out \(infra\/operating\.md#upgrade\)$/m);
});

it('says of each sender what was taken, and is alarmed if all of it was refused', async () => {
  const post = (secret: string) => {
    const [id, body] = [`msg_${randomUUID()}`, '{"type":"build"}'];
    const headers = {
      'content-type': 'application/json',
      'webhook-id': id,
      'webhook-timestamp': `${Math.floor(Date.now() / 1000)}`,
      'webhook-signature': new Webhook(secret).sign(id, new Date(), body),
    };
    return fetch(`${world.stack.url}/webhook/deploys`, { method: 'POST', headers, body });
  };
  expect((await post(SECRET)).status).toBe(401);
  const { code, out } = await runCli(['doctor'], world.dataDir, { env });
  expect(code).toBe(1);
  expect(out).toMatch(
    /^wrong {2}sender {7}deploys: 0 taken today, 1 refused, the last because .*\n +→ npx passepartout hooks, which says why; npx passepartout hooks add makes a new secret$/m,
  );
  expect((await post(OTHER_SECRET)).status).toBe(202);
  expect(await cli('doctor')).toMatch(/^ok {5}sender {7}deploys: 1 taken today, 1 refused/m);
});

it.each([
  ['the signature does not fit', ['wrongSignature'], 'secret', 'compare its secret and its scheme (infra/webhooks.md)'],
  [
    'the time of the signature is too old or too new',
    ['stale'],
    'time',
    'set the clock of this machine and of the sender',
  ],
  [
    'body is not valid JSON in line 3; let the sender send JSON',
    ['noJson', 3],
    'body',
    'mend it at the sender, which was told the same',
  ],
] as const)('says of a refused request why, and what mends it: %s', async (reason, refusal, cure, mend) => {
  await buildNoteUnproven(world.table, SPACE)('ci', refusal, Date.now(), cure);
  expect(await cli('hooks')).toContain(`refused today, the last because ${reason}: ${mend}`);
  const inGerman = sayRefusal(await refusalTexts.in('de'), refusal);
  for (const command of ['hooks', 'doctor']) {
    const { out } = await runCli([command], world.dataDir, { env: { ...env, LANG: 'de_DE.UTF-8' } });
    expect(out).toContain(`wegen: ${inGerman}`);
  }
});

const PAGE = 'infra/troubleshooting.md';
/** Sentences of the page, in which `…` stands for anything. */
const QUOTED = [...readFileSync(join(ROOT, PAGE), 'utf8').matchAll(/"([^"]+)"/g)].map(
  ([, words = '']) => new RegExp(words.replace(/[^\w …]/g, '\\$&').replaceAll('…', '.*')),
);
const isInTroubleshooting = (finding: string): boolean => QUOTED.some((words) => words.test(finding));

describe('each finding', () => {
  const now = Date.now();
  const put = (id: string, state: 'dead-lettered' | 'received' | 'acted', receivedAt: number, sweeps = 0) =>
    putSignal(world.table, { signal: buildSignal(id, { receivedAt }), state, record: { sweeps } });
  const paused = async () => {
    const changer = { space: SPACE, signalId: 'con-p', effectId: 'con-p#0', by: 'system', now };
    const job = await loadJob(world.table, SPACE, 'tea');
    if (job === undefined) throw new Error('there is no job');
    const { definition } = job;
    const why = 'paused after 5 failures in a row';
    await changeJob(world.table, changer, 'tea', () => ({ definition, state: 'paused', why }));
  };
  const missed = async () => {
    const job = await loadJob(world.table, SPACE, 'tea');
    if (job === undefined) throw new Error('there is no job');
    const one = { signalId: `job-tea-${now}`, kind: 'rule', instant: now + HOUR_MS, state: 'missed' } as const;
    await world.table.transact(beginOccurrence(SPACE, job, { ...one, instant: Date.now() }, now));
  };
  const job = buildOrder('list-files', { path: '/x' }, { id: 'con-w#0', runner: 'home', expiresAt: now + HOUR_MS });
  const waitingCall = buildOrderRowItem({ job, signature: 'x' }, { session: 'main', consentedAt: now });
  const spent = (usd: number) =>
    world.table.update(spendKey(SPACE, Date.now()), { set: { schemaVersion: 1, usd, tokens: 0 } });
  const quota = (refused: number) => {
    const key = quotaKey(SPACE, { kind: 'source', name: 'webhook:ci' }, Date.now());
    const { set } = refusedChange('x', 'messages', Date.now());
    return world.table.update(key, { set: { ...set, refused } });
  };

  /** A mark on the day's counter. */
  const mark = (name: string, at = Date.now()) =>
    world.table.update(spendKey(SPACE, Date.now()), { set: { schemaVersion: 1, [name]: at } });
  const unmark = (...remove: readonly string[]) => world.table.update(spendKey(SPACE, Date.now()), { remove });
  const waitingText = signalKeys.effect(SPACE, 'con-waits', 0);
  const textWaits = (reason: string) => {
    const unfinishedSpace = indexPartitions.waitingEffects(SPACE);
    return world.table.put(waitingText, { schemaVersion: 1, n: 0, reason, unfinishedSpace, unfinishedAt: Date.now() });
  };
  const textIsSent = () => world.table.update(waitingText, { remove: ['unfinishedSpace', 'unfinishedAt'] });
  const dueAt = (at: number) => world.table.update(jobKeys.record(SPACE, 'tea'), { set: { unfinishedAt: at } });

  const traced = (last: string, status: number) => {
    const counts = { sent: 0, refused: 0, left: 0, rejectedSpans: 0 };
    const state = { schemaVersion: 1, salt: '', since: 0, done: {}, open: {}, ...counts, triedAt: Date.now() };
    return world.table.put(traceKey(SPACE), { ...state, last, status });
  };

  it('has a row below for each source of findings', () => {
    const source = readFileSync(join(ROOT, 'lib/core/verbs/signals/findings.ts'), 'utf8');
    const list = /^ {4}findings: \[\n(.*?)^ {4}\],/ms.exec(source)?.[1] ?? '';
    expect(list.match(/^ {6}\.\.\./gm)).toHaveLength(11);
    expect(FEATURE_VIEWS.filter(({ noted, findProblems }) => noted ?? findProblems)).toHaveLength(8);
  });

  it.each<[string, () => Promise<unknown>, RegExp, () => Promise<unknown>]>([
    [
      'log that stands still',
      async () => {
        // Its writer takes the note away as soon as it writes.
        await until('the log has it all', async () => {
          await world.tick();
          return !(await world.api<{ isWaiting: boolean }>('GET', '/api/log')).body.isWaiting;
        });
        await noteLogProblem(world.table, SPACE, 'LOG_SIGNING_KEY is missing', Date.now());
      },
      /^the evidence log stands still: LOG_SIGNING_KEY is missing \(infra/,
      () => noteLogProblem(world.table, SPACE, 'LOG_SIGNING_KEY is missing', 1),
    ],
    [
      'jobs that are behind',
      () => dueAt(Date.now() - 10 * MINUTE_MS),
      /^moments of 1 job wait, the oldest since .*: the next heartbeats take them \(\/jobs list\)$/,
      () => dueAt(Date.now() + HOUR_MS),
    ],
    [
      'refused key',
      () => mark('auth_groq'),
      /^the model provider groq refuses the key .*setup/,
      () => unmark('auth_groq'),
    ],
    ['refused key of an own endpoint', () => mark('auth_near'), /in PROVIDER_KEYS .*infra/, () => unmark('auth_near')],
    ['no credit', () => mark('billing_near'), /^the model provider near has no credit/, () => unmark('billing_near')],
    [
      'refused key of vectors',
      () => mark('r_embeddings', now + HOUR_MS),
      /^the embeddings endpoint/,
      () => unmark('r_embeddings'),
    ],
    [
      'nobody reachable',
      async () => {
        await mark('away_since');
        await mark('away_seen');
      },
      /^no language model has been reachable since .* wait/,
      () => unmark('away_since', 'away_seen'),
    ],
    ['texts that wait', () => textWaits('not reachable'), /^Telegram takes no messages .* will be sent/, textIsSent],
    [
      'refused token',
      () => textWaits('Telegram refuses the token in TELEGRAM_BOT_TOKEN'),
      /^Telegram refuses the token .*setup/,
      textIsSent,
    ],
    ['spent budget', () => spent(DEFAULT_CAPS.day), /^today's budget is used up: \/budget/, () => spent(0)],
    [
      'heartbeat',
      () => world.table.put(settingKey(SPACE, 'heartbeat'), { schemaVersion: 1, at: Date.now() - 10 * MINUTE_MS }),
      /^the last heartbeat was 60\d seconds ago: if it stays away, "npm start" or "npm run deploy" again$/,
      () => world.tick(),
    ],
    [
      'dead letter',
      () => put('con-dead', 'dead-lettered', Date.now()),
      /^1 of the newest signals could not .* \(npx passepartout signals --state dead-lettered\)$/,
      async () => {
        expect(await cli('signals', '--state', 'dead-lettered')).toContain('con-dead');
        await put('con-dead', 'acted', now);
      },
    ],
    [
      'queue that stands',
      () => put('con-old', 'received', Date.now() - 20 * MINUTE_MS, 2),
      /^1 signal still under way, the oldest for 20 minutes: \/why con-old$/,
      async () => {
        expect(await cli('why', 'con-old')).toContain('con-old');
        await put('con-old', 'acted', now);
      },
    ],
    [
      'anchor',
      () => noteAnchorProblem(world.table, SPACE, Date.now()),
      /^the newest checkpoint is not anchored: .*ANCHOR_DIR, ANCHOR_BUCKET/,
      () => noteAnchorProblem(world.table, SPACE, Date.now() - HOUR_MS),
    ],
    [
      'collector of traces',
      () => traced('refused', 403),
      /^the collector of traces answers 403: what it refuses is lost \(lib\/features\/traces\/README\.md\)$/,
      () => traced('taken', 200),
    ],
    [
      'witness',
      () => noteWitnessProblems(world.table, SPACE, ['witness/one refuses: it answers 403']),
      /^the witness witness\/one refuses: it answers 403 \(infra\/troubleshooting\.md#evidence-and-backups\)$/,
      () => noteWitnessProblems(world.table, SPACE, []),
    ],
    [
      'budget near its cap',
      () => spent(DEFAULT_CAPS.day * 0.9),
      /^90 % of today's budget is used: \/budget shows the caps$/,
      async () => {
        expect(await cli('budget')).toMatch(/committed/);
        await spent(0);
      },
    ],
    [
      'paused job',
      paused,
      /^the job tea is paused after 5 failures in a row: \/jobs history tea, then \/jobs resume tea$/,
      async () => {
        await cli('jobs', 'history', 'tea');
        await cli('jobs', 'resume', 'tea');
      },
    ],
    [
      'missed job',
      missed,
      /^the job tea missed its moment of .* UTC: \/jobs run tea runs it now$/,
      () => cli('jobs', 'run', 'tea'),
    ],
    [
      'machine that was copied',
      () => world.table.update(runnerKeys.list(SPACE), { set: { copied: ['home'] }, add: { round: 1 } }),
      /^the machine home: paused: two copies .* \(0 calls for it\): \/runners resume home$/,
      () => cli('runners', 'resume', 'home'),
    ],
    [
      'machine that calls wait for',
      async () => {
        await world.table.put(runnerKeys.job(SPACE, 'con-w#0'), waitingCall);
        await world.table.update(runnerKeys.list(SPACE), { set: { stopped: ['home'] }, add: { round: 1 } });
      },
      /^the machine home: stopped, last seen .* \(1 call for it\): npx passepartout runner start home$/,
      () => world.table.update(runnerKeys.list(SPACE), { set: { stopped: [] }, add: { round: 1 } }),
    ],
    [
      'machine of another release',
      () => world.table.update(runnerKeys.list(SPACE), { set: { releases: { home: '0.0.9' } }, add: { round: 1 } }),
      /^the machine home runs release 0\.0\.9, the stack \d.*: bring it to the same, then npx passepartout runner start home$/,
      () => runner.stack.open({ allow: ALLOWED }),
    ],
    [
      'server that changed its tools',
      async () => {
        offered = tool('find_issue', 'finds something else');
        await cli('mcp', 'add', 'tracker', server.url);
      },
      /^the MCP server tracker changed 1 accepted tool, off until it is accepted again: \/mcp list$/,
      async () => {
        expect(await cli('mcp', 'list')).toContain('CHANGED');
        await acceptOffer();
      },
    ],
    [
      'failing skill',
      () => countSkillUse(world.table, SPACE, 'invoice-check', { runs: 5, failures: 4, ms: 1, tokens: 1, usd: 1 }),
      /^the skill invoice-check failed 4 times in 6 turns: \/skill show invoice-check, or \/skill remove invoice-check$/,
      async () => {
        await cli('skill', 'show', 'invoice-check');
        await cli('skill', 'remove', 'invoice-check');
      },
    ],
    [
      'source that sends too much',
      async () => {
        await event('e2');
        await quota(3);
      },
      /^3 events of the webhook source ci were refused today, over its quota: let it send fewer \(infra\/troubleshooting\.md#the-model\)$/,
      () => quota(0),
    ],
    [
      'old backup',
      () => noteBackup(world.table, SPACE, Date.now() - 40 * DAY_MS),
      /^the newest backup is 40 days old: npx passepartout backup <file>$/,
      () => backUp('two.backup'),
    ],
    [
      'stop',
      () => cli('stop'),
      /^stopped: nothing is done until an approver resumes it: \/resume$/,
      () => cli('resume'),
    ],
  ])('is told and mended: %s', async (_, provoke, words, mend) => {
    await provoke();
    const { findings, lines, canAnswer, because } = await look();
    expect(findings).toStrictEqual([expect.stringMatching(words)]);
    expect(mendsIn(findings[0] ?? '')).not.toStrictEqual([]);
    expect(findings.filter((finding) => finding.includes(PAGE) && !isInTroubleshooting(finding))).toStrictEqual([]);
    expect(lines[1]).toBe(`Wrong: ${findings[0]}.`);
    const isStop = /^(stopped|no language model|today's budget is used up)/.test(findings[0] ?? '');
    expect({ canAnswer, because }).toStrictEqual({ canAnswer: !isStop, because: isStop ? findings[0] : undefined });
    await mend();
    expect(
      await until('it is mended', async () => {
        const after = await look();
        return after.findings.length === 0 && after;
      }),
    ).toMatchObject({ canAnswer: true });
  });
});
