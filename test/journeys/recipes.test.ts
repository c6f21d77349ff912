/**
 * The recipes of `infra/webhooks.md`, typed as they stand there: a pull request told in one line,
 * an alert that leads to a question and a call, and a failed payment whose mail waits for a yes.
 */
import { createHmac } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../support/model-server.ts';
import { until } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';
import { type TelegramPerson, telegramPerson } from './support/telegram-person.ts';

const RECIPES = readFileSync(join(ROOT, 'infra/webhooks.md'), 'utf8').split('## Three recipes')[1] ?? '';
const line = (start: string): string => RECIPES.split('\n').find((one) => one.startsWith(start)) ?? '';
const runbook = /```yaml\n([\s\S]*?)```/.exec(RECIPES)?.[1] ?? '';

const SECRET = 'whsec_of-the-three-services';
const got: unknown[] = [];
const receiver = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  got.push([request.url, JSON.parse(body)]);
  response.writeHead(200).end('{}');
});

const MAIL = { to: 'bo@customer.example', subject: 'Your payment', text: 'It did not go through. May we try again?' };
const script = (request: ModelServerRequest) => {
  const words = userTextOf(request);
  if (toolResultsOf(request).length > 0) return say('The mail is on its way.');
  if (/checklist/.test(words)) return say('1. Are there tests?');
  if (!/friendly mail/.test(JSON.stringify(request))) return say('ok');
  return call('call-webhook', { webhook: 'mail', body: MAIL, explanation: 'The payment of the customer failed.' });
};

let home: Home;
let person: TelegramPerson;
const send = async (name: string, body: object, sign: (text: string) => Record<string, string>): Promise<void> => {
  const text = JSON.stringify(body);
  const headers = { 'content-type': 'application/json', ...sign(text) };
  expect((await fetch(`${home.url()}/webhook/${name}`, { method: 'POST', headers, body: text })).status).toBe(202);
};
const hmac = (secret: string, text: string): string => createHmac('sha256', secret).update(text).digest('hex');

beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  home = await openHome(script);
  home.set({
    ...home.modelSettings,
    ...home.telegramSettings,
    WEBHOOK_SECRETS: JSON.stringify({
      github: { scheme: 'github', secret: SECRET },
      alerts: { scheme: 'alertmanager', secret: SECRET },
      stripe: { scheme: 'stripe', secret: SECRET },
    }),
    WEBHOOK_TARGETS: JSON.stringify({
      ops: { url: `${origin}/ops` },
      mail: { url: `${origin}/mail`, says: 'Sends a mail.', body: { required: Object.keys(MAIL) } },
    }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  await home.start();
  person = telegramPerson(home.telegram, 7401);
  person.says(/\/pair \S+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
  await person.reads('This chat is paired.');
});
afterAll(async () => {
  await home.close();
  receiver.close();
});

const addJob = async (typed: string): Promise<void> => {
  const name = /add (\S+)/.exec(typed)?.[1] ?? '';
  person.says(typed);
  await person.taps(await person.reads(new RegExp(`\\(job ${name}\\)|job:${name}|A new job: ${name}`)), 'Approve');
  await person.reads(`The job ${name} is made.`);
};

describe('a recipe', () => {
  it('tells a pull request in one line, and has a checklist for whoever asks', async () => {
    await addJob(line('/jobs add pulls'));
    const asked = home.model.requests.length;
    const body = {
      action: 'opened',
      number: 7,
      pull_request: { title: 'Mend the clock', html_url: 'https://github.com/a/b/pull/7' },
      repository: { full_name: 'a/b' },
      sender: { login: 'ada' },
    };
    const sign = (text: string) => ({
      'x-github-event': 'pull_request',
      'x-github-delivery': 'd1',
      'x-hub-signature-256': `sha256=${hmac(SECRET, text)}`,
    });
    await send('github', body, sign);
    const told = await person.reads('ada opened pull request #7');
    expect(home.model.requests.length).toBe(asked);
    person.says('write me a review checklist for this', { reply_to_message: told as never });
    await person.reads('Are there tests?');
    expect(JSON.stringify(home.model.requests.at(-1))).toContain('Mend the clock');
  });

  it('asks after an alert, and calls back', async () => {
    writeFileSync(join(home.folder, 'restart.yaml'), runbook);
    await home.paste('npx passepartout runbook add restart.yaml --mine');
    await addJob(line('/jobs add restarts'));
    const alert = { status: 'firing', labels: { alertname: 'Down', service: 'shop' }, annotations: {} };
    const labels = { alertname: 'Down', service: 'shop' };
    await send(
      'alerts',
      { version: '4', status: 'firing', receiver: 'agent', groupLabels: {}, commonLabels: labels, alerts: [alert] },
      () => ({ authorization: `Bearer ${SECRET}` }),
    );
    await person.taps(await person.reads('Restart shop?'), 'Yes');
    await person.reads('shop is restarted.');
    expect(got.splice(0)).toStrictEqual([['/ops', { action: 'restart', service: 'shop' }]]);
  });

  it('writes a mail after a failed payment, which waits for a yes', async () => {
    await addJob(line('/jobs add dunning'));
    const invoice = { id: 'in_1', customer_email: MAIL.to, amount_due: 900, currency: 'eur' };
    const event = { id: 'evt_1', type: 'invoice.payment_failed', data: { object: invoice } };
    const at = Math.floor(Date.now() / 1000);
    await send('stripe', event, (text) => ({
      'stripe-signature': `t=${at},v1=${hmac(SECRET, `${at}.${text}`)}`,
    }));
    const card = await person.reads(MAIL.text);
    expect(got).toStrictEqual([]);
    await person.taps(card, 'Approve');
    await until('the mail is sent', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([['/mail', MAIL]]);
  });
});
