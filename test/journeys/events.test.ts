/**
 * Two services are connected as the set-up says, and each of their events becomes one line in a
 * chat without a model: a pull request of GitHub, and an alert of a real Alertmanager.
 */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseEnv } from 'node:util';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { freePort } from '../support/listening.ts';
import { until } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';
import { type TelegramPerson, telegramPerson } from './support/telegram-person.ts';

const ALERTMANAGER = 'prometheus-alertmanager';
const hasAlertmanager = spawnSync(ALERTMANAGER, ['--version']).status === 0;

const SHOP_SECRET = 'a-secret-of-the-shop';
/** As infra/webhooks.md has it. */
const SHOP = { scheme: 'hmac', header: 'X-Signature', prefix: 'sha256=', signed: '{time}.{body}', time: 'X-Time' };

let home: Home;
let person: TelegramPerson;
let alertmanager: ChildProcess | undefined;
const secrets: Record<string, string> = {};

/** Types answers to the questions of a command, as a person reads them. */
const connect = async (command: string, name: string, service?: string): Promise<void> => {
  const setup = home.open(`npx passepartout ${command}`);
  for (const [question, answer] of [
    ...(service === undefined ? [] : [['Which service', service] as const]),
    ['A name for it', name],
    ['The secret it shows', ''],
  ] as const) {
    await setup.prints(question);
    setup.type(answer);
  }
  const output = await setup.prints('Set up.');
  expect(output).toMatch(/Where the service has its secret: \S/);
  expect(output).toContain(`/webhook/${name}`);
  secrets[name] = /Give it this secret:\s+(\S+)/.exec(output)?.[1] ?? '';
  await setup.end();
};

beforeAll(async () => {
  home = await openHome();
  home.set({ ...home.modelSettings, ...home.telegramSettings });
  await connect('setup --plain --only sender', 'github', 'github');
  await connect('hooks add alertmanager --plain', 'alerts');
  const shop = { shop: { ...SHOP, secret: SHOP_SECRET } };
  const { WEBHOOK_SECRETS: known = '{}' } = parseEnv(readFileSync(join(home.folder, '.env'), 'utf8'));
  home.set({ WEBHOOK_SECRETS: `'${JSON.stringify({ ...JSON.parse(known), ...shop })}'` });
  expect((await home.run('npx passepartout hooks add gihub')).out).toContain('no service gihub is known');
  await home.start();
  for (const name of ['github', 'alerts'])
    expect((await home.run('npx passepartout doctor')).out).toMatch(
      new RegExp(`^ok +sender +${name}: nothing came yet; to try it: npx passepartout hooks test ${name}$`, 'm'),
    );
  person = telegramPerson(home.telegram, 7301);
  person.says(/\/pair [0-9A-Z-]+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
  await person.taps(await person.reads('This chat is paired.'), 'Yes, here');
  await person.reads('HOME_CHAT');
});
afterAll(async () => {
  alertmanager?.kill();
  await home?.close();
});

/** Headers of GitHub. */
const signed = (body: string, event: string, delivery: string) => ({
  'content-type': 'application/json',
  'x-github-event': event,
  'x-github-delivery': delivery,
  'x-hub-signature-256': `sha256=${createHmac('sha256', secrets.github ?? '')
    .update(body)
    .digest('hex')}`,
});

const addJob = async (name: string, event: string): Promise<void> => {
  person.says(`/jobs add ${name} event ${event} runbook=tell`);
  await person.taps(await person.reads(`unless a grant for job:${name} covers it`), 'Approve');
  await person.reads(`The job ${name} is made.`);
};

it('tells a pull request in one line', async () => {
  await addJob('pulls', 'github/pull_request.opened');
  const body = JSON.stringify({
    action: 'opened',
    number: 7,
    pull_request: { title: 'Mend the clock', html_url: 'https://github.com/a/b/pull/7' },
    repository: { full_name: 'a/b' },
    sender: { login: 'ada' },
  });
  const headers = signed(body, 'pull_request', '72d3162e-cc78-11e3-81ab-4c9367dc0958');
  const asked = home.model.requests.length;
  // GitHub delivers again if it is asked to.
  for (let n = 0; n < 2; n += 1)
    expect((await fetch(`${home.url()}/webhook/github`, { method: 'POST', headers, body })).status).toBe(202);
  const forged = { ...headers, 'x-hub-signature-256': `sha256=${'0'.repeat(64)}` };
  expect((await fetch(`${home.url()}/webhook/github`, { method: 'POST', headers: forged, body })).status).toBe(401);
  await person.reads('ada opened pull request #7 “Mend the clock” in a/b: https://github.com/a/b/pull/7');
  // A mistyped end of the address is counted too.
  expect((await fetch(`${home.url()}/webhook/gihub`, { method: 'POST', headers, body })).status).toBe(401);
  person.says('/hooks');
  await person.reads(
    /github: 1 event today, the last pull_request\.opened, .*\ngithub: 1 request refused today, the last because the signature does not fit/,
  );
  person.says('/hooks add gitlab');
  await person.reads(/A secret must not pass through a chat.*npx passepartout hooks add gitlab/);
  expect(home.model.requests.length).toBe(asked);
});

it('takes no made-up secret for a service that makes its own, and says when a start is due', async () => {
  const setup = home.open('npx passepartout hooks add stripe --plain');
  for (const [question, answer] of [
    ['A name for it', 'pay'],
    ['The secret it shows (not shown here)', ''],
    ['stripe makes its secret itself: paste that one', 'whsec_aSecretThatStripeShows'],
  ] as const) {
    await setup.prints(question);
    setup.type(answer);
  }
  expect(await setup.prints('Set up.')).not.toContain('Give it this secret');
  await setup.end();
  const early = await home.run('npx passepartout hooks test pay');
  expect(early.out).toContain('start the stack again if WEBHOOK_SECRETS was changed since');
});

it('is tried with a sample, looked at, and let come once more', async () => {
  const tried = await home.paste('npx passepartout hooks test github pull_request.opened');
  expect(tried).toContain('github/pull_request.opened');
  expect(tried).toContain('handed to the job pulls');
  await person.reads('sample login opened pull request #sample number');
  expect((await home.run('npx passepartout hooks test nobody')).out).toContain('no usable entry nobody');
  person.says('/hooks events github');
  const id =
    /wh-github:\S+/.exec((await person.reads(/handed to the job pulls\n {2}“sample login/)).text ?? '')?.[0] ?? '';
  person.says(`/hooks show ${id}`);
  await person.reads('"sample": "npx passepartout hooks test"');
  person.says(`/hooks try ${id} {{sender.login}} did it`);
  await person.reads(/^sample login did it$/);
  const told = () => person.screen().filter((text) => /^\S*sample login opened pull request/.test(text)).length;
  const forms = join(home.folder, 'forms.yaml');
  writeFileSync(forms, 'github:\n  pull_request.opened: "PR of {{sender.login}}"\n  push: "{{a b}}"\n');
  expect((await home.run('npx passepartout hooks forms forms.yaml')).out).toContain('forms.yaml line 3: {{a b}}');
  writeFileSync(forms, 'github:\n  pull_request.opened: "PR of {{sender.login}}"\n');
  expect(await home.paste(`npx passepartout hooks forms forms.yaml ${id}`)).toContain('PR of sample login');
  expect(await home.paste('npx passepartout hooks forms forms.yaml')).toContain('EVENT_FORMS is ');
  // A function looks at the settings every ten seconds, and each event is a text to the home chat.
  await sleep(11_000);
  expect(await home.paste('npx passepartout hooks test github pull_request.opened')).toContain('PR of sample login');
  await home.paste('npx passepartout config reset EVENT_FORMS');
  const before = told();
  person.says(`/hooks send-again ${id}`);
  await person.reads('github/pull_request.opened comes once more');
  await until('it is told again', () => told() > before);
  const listed = await home.paste('npx passepartout hooks events github --json');
  expect(JSON.parse(listed).events.length).toBeGreaterThan(2);
});

it('asks once what shall become of a kind of event that no job waits for', async () => {
  const post = async (source: string, headers: Record<string, string>, body: string) => {
    const response = await fetch(`${home.url()}/webhook/${source}`, { method: 'POST', headers, body });
    return ((await response.json()) as { readonly id: string }).id;
  };
  const send = (event: string, title: string, member = 'issue') => {
    const body = JSON.stringify({ action: 'opened', [member]: { title, number: 1 }, sender: { login: 'ada' } });
    return post('github', signed(body, event, title), body);
  };
  const sendHook = (label: string) => {
    const body = JSON.stringify({ type: 'Issue Hook.opened', label });
    const time = String(Math.floor(Date.now() / 1000));
    const mac = createHmac('sha256', SHOP_SECRET).update(`${time}.${body}`).digest('hex');
    return post('shop', { 'x-time': time, 'x-signature': `sha256=${mac}` }, body);
  };
  const asked = () => home.model.requests.length;
  const before = asked();
  const id = await send('issues', 'first');
  const question = await person.reads('github: “ada opened issue #1 "first" in ');
  expect(await home.paste(`npx passepartout why ${id}`)).toContain('no job waits for it');
  await send('issues', 'second');
  await person.taps(question, 'Tell me');
  await person.reads('The job github-issues-opened is made.');
  // The second one waited for the answer.
  await person.reads('ada opened issue #1 “second”');
  await send('issues', 'third');
  await person.reads('ada opened issue #1 “third”');
  expect(person.screen().filter((text) => /first|from now on/.test(text)).length).toBe(1);
  await send('fork', 'once', 'forkee');
  await person.taps(await person.reads('(fork.opened)'), 'Nothing');
  // The name of the event has a space in it.
  await sendHook('label-1');
  const other = await person.reads('(“Issue Hook.opened”)');
  expect(asked()).toBe(before);
  await person.taps(other, 'Ask the model');
  await person.reads(/The job shop-issue-hook-opened-[0-9a-f]{6} is made\./);
  await until('the model is asked', () => /label-1/.test(JSON.stringify(home.model.requests.slice(before))));
  await sendHook('label-2');
  await until('the model is asked', () => /label-2/.test(JSON.stringify(home.model.requests.slice(before))));
});

it('tells an alert that fires and ends, as Alertmanager sends them', async (context) => {
  if (!hasAlertmanager) context.skip(`${ALERTMANAGER} is missing (apt-get install ${ALERTMANAGER})`);
  await addJob('alerts', 'alerts');
  const port = await freePort();
  const file = join(home.folder, 'alertmanager.yml');
  writeFileSync(
    file,
    JSON.stringify({
      route: { receiver: 'agent', group_wait: '0s', group_interval: '1s' },
      receivers: [
        {
          name: 'agent',
          webhook_configs: [
            {
              url: `${home.url()}/webhook/alerts`,
              http_config: { authorization: { credentials: secrets.alerts } },
            },
          ],
        },
      ],
    }),
  );
  const flags = ['--cluster.listen-address=', `--web.listen-address=127.0.0.1:${port}`];
  alertmanager = spawn(ALERTMANAGER, [`--config.file=${file}`, `--storage.path=${home.folder}/alerts`, ...flags], {
    stdio: 'ignore',
  });
  const post = (alert: object): Promise<boolean> =>
    fetch(`http://127.0.0.1:${port}/api/v2/alerts`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify([
        {
          labels: { alertname: 'DiskFull', instance: 'db-1' },
          annotations: { summary: '/ is at 97 %' },
          ...alert,
        },
      ]),
    }).then(
      ({ ok }) => ok,
      () => false,
    );
  const asked = home.model.requests.length;
  await until('Alertmanager takes an alert', () => post({}));
  await person.reads('DiskFull on db-1: / is at 97 %');
  await post({ endsAt: new Date().toISOString() });
  await person.reads('resolved: DiskFull on db-1: / is at 97 %');
  expect(home.model.requests.length).toBe(asked);
});

// Behind the others: with its text the chat has had those of an hour.
it('is sent by a script as it is documented, and refused with an old time', async () => {
  const [, script = ''] = /```sh\n(body=[\s\S]*?)```/.exec(readFileSync(join(ROOT, 'infra/webhooks.md'), 'utf8')) ?? [];
  const mine = script.replace('curl', 'curl -sS').replace('http://127.0.0.1:8787', home.url());
  const sent = await home.paste(`SECRET=${SHOP_SECRET}\n${mine}`);
  expect(sent).toMatch(/^{"id":"wh-shop:[\w-]+"}$/m);
  const late = await home.paste(`SECRET=${SHOP_SECRET}\n${mine.replace('date +%s', 'expr $(date +%s) - 3600')}`);
  expect(late).toContain('this is not a signed event of a known source');
  const events = await home.paste('npx passepartout hooks events shop');
  expect(events).toMatch(/^shop\/backup\.failed, [\s\S]*“{"type":"backup\.failed","host":"db1"}”/);
});
