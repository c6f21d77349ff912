/**
 * An hour of real use, at the rates of a person and of a busy repository: questions, notes, cards,
 * a job every five minutes, 140 pull requests with a rush, and a restart in the middle. It fails
 * with the first thing that a person would miss. `npm run test:hour`; MINUTES=5 for a short one.
 */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { openHome, type Program } from './support/home.ts';
import { telegramPerson } from './support/telegram-person.ts';

const MINUTE_MS = 60_000;
const MINUTES = Number(process.env.MINUTES ?? 60);
const [OWNER, GROUP] = [7301, -1_007_000_000_009];
const SECRET = `whsec_${Buffer.from('the secret of the deployer').toString('base64')}`;
/** Pull requests of one minute of the rush. */
const RUSH = 20;
const isRush = (minute: number): boolean => minute >= MINUTES / 6 && minute < MINUTES / 6 + 4;

const deployed: string[] = [];
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  deployed.push(JSON.parse(body).ref);
  response.writeHead(202).end('{"queued":true}');
});
await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));

const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const isFirst = toolResultsOf(request).length === 0;
  const [, note] = /^remember (.+)$/m.exec(text) ?? [];
  const [, ref] = /^deploy (\S+)$/m.exec(text) ?? [];
  if (note !== undefined && isFirst) return call('remember', { text: note, explanation: 'the owner asked for it' });
  if (ref !== undefined && isFirst)
    return call('call-webhook', { webhook: 'deploys', body: { ref }, explanation: 'the owner asked for a deployment' });
  if (ref !== undefined) return say(`Settled: ${ref}`);
  return say(note === undefined ? `I read: ${text}` : `Kept: ${note}`);
};

const home = await openHome(script);
const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
home.set({
  ...home.modelSettings,
  ...home.telegramSettings,
  WEBHOOK_TARGETS: JSON.stringify({ deploys: { url, secret: SECRET } }),
  ALLOW_LOOPBACK_WEBHOOKS: '1',
});

const connectGitHub = async (): Promise<string> => {
  const setup = home.open('npx passepartout setup --plain --only sender');
  for (const [question, answer] of [
    ['Which service', 'github'],
    ['A name for it', 'github'],
    ['The secret it shows', ''],
  ] as const) {
    await setup.prints(question);
    setup.type(answer);
  }
  const shown = await setup.prints('Set up.');
  await setup.end();
  return /Give it this secret:\s+(\S+)/.exec(shown)?.[1] ?? '';
};
const secret = await connectGitHub();
let program: Program = await home.start();
const [owner, group] = [OWNER, GROUP].map((chat) => telegramPerson(home.telegram, OWNER, chat)) as [
  ReturnType<typeof telegramPerson>,
  ReturnType<typeof telegramPerson>,
];

let requests = 0;
const openPullRequest = async (): Promise<void> => {
  requests += 1;
  const body = JSON.stringify({
    action: 'opened',
    number: requests,
    pull_request: { title: `Change ${requests}`, html_url: `https://github.com/a/b/pull/${requests}` },
    repository: { full_name: 'a/b' },
    sender: { login: 'ada' },
  });
  const headers = {
    'content-type': 'application/json',
    'x-github-event': 'pull_request',
    'x-github-delivery': `delivery-${requests}`,
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`,
  };
  assert.equal((await fetch(`${home.url()}/webhook/github`, { method: 'POST', headers, body })).status, 202);
};

const pair = async (): Promise<string> =>
  /\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '';
const addJob = async (line: string, card: string): Promise<void> => {
  owner.says(line);
  await owner.taps(await owner.reads(card), 'Approve');
  await owner.reads(/^The job \w+ is made\./);
};
owner.says(await pair());
await owner.taps(await owner.reads('This chat is paired.'), 'Yes, here');
group.says(await pair());
await group.reads(/is paired/);
await addJob('/jobs add pulls event github/pull_request.opened runbook=tell', 'A new job: pulls');
await addJob('/jobs add water every 5m: say drink water', 'A new job: water');

const deploy = async (ref: string): Promise<void> => {
  owner.says(`deploy ${ref}`);
  await owner.taps(await owner.reads(`{"ref":"${ref}"}`), 'Approve');
  await owner.reads(`Settled: ${ref}`);
};
const restart = async (): Promise<void> => {
  assert.equal(await program.end(), 0);
  program = await home.start();
};

const startedAt = Date.now();
for (let minute = 0; minute < MINUTES; minute += 1) {
  console.log(`minute ${minute} of ${MINUTES}, ${owner.screen().length} texts`);
  await openPullRequest();
  if (isRush(minute)) for (let n = 1; n < RUSH; n += 1) await openPullRequest();
  if (minute % 3 === 0) {
    owner.says(`remember key ${minute} opens door ${minute}`);
    await owner.reads(`Kept: key ${minute} opens door ${minute}`);
  }
  if (minute % 4 === 1) await deploy(`v${minute}`);
  if (minute % 7 === 2) {
    group.says(`what about ${minute}?`);
    await group.reads(`what about ${minute}?`);
  }
  if (minute === Math.floor(MINUTES / 2)) await restart();
  await sleep(Math.max(0, startedAt + (minute + 1) * MINUTE_MS - Date.now()));
}

// Each pull request was told in a line, or is counted by the digest; each deployment was done once.
const screen = owner.screen().join('\n');
const digests = [...screen.matchAll(/^pulls: (\d+) more this hour/gm)].map(([, count]) => Number(count));
const alone = owner.screen().filter((text) => /^\S*ada opened pull request #\d+/.test(text)).length;
assert.equal(alone + digests.reduce((sum, count) => sum + count, 0), requests, 'each pull request is told or counted');
assert.equal(new Set(deployed).size, deployed.length, 'no deployment twice');
assert.deepEqual(
  deployed,
  Array.from({ length: Math.ceil((MINUTES - 1) / 4) }, (_, n) => `v${4 * n + 1}`),
);
await home.paste('npx passepartout evidence export --out all.jsonl');
const key = (await home.paste('npx passepartout evidence key')).trim();
const verified = await home.paste(`npx passepartout verify all.jsonl --key "${key}"`);
assert.match(verified, /every moment of a job's rule has its occurrence/);
assert.match(await home.paste('npx passepartout doctor'), /^It can answer: yes\.$/m);
const log = readFileSync(join(home.folder, '.passepartout', 'functions.log'), 'utf8');
assert.doesNotMatch(log, /"level":"error"/i);
await home.close();
deployer.close();
console.log(
  `An hour of use: ${requests} events, ${deployed.length} deployments, ${home.model.requests.length} questions.`,
);
process.exit(0);
