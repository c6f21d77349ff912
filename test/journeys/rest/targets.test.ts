/**
 * Services that the agent calls: the model learns their names and fields, gives wrong fields once,
 * and the card shows what goes where. One is a message as Slack takes it, one changes a resource at
 * an address made of fields, and a job reports to the first.
 */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { until } from '../../support/stack.ts';
import { type Home, openHome } from '../support/home.ts';
import { type TelegramPerson, telegramPerson } from '../support/telegram-person.ts';

const got: unknown[] = [];
const service = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  got.push([request.method, request.url, request.headers['content-type'], body]);
  response.writeHead(request.method === 'DELETE' ? 204 : 200).end(request.method === 'GET' ? 'up and running' : '');
});

const asked: ModelServerRequest[] = [];
const script = (request: ModelServerRequest) => {
  asked.push(request);
  const words = userTextOf(request);
  const explanation = 'The owner asked for it.';
  if (toolResultsOf(request).length > 0) return say(/how is shop/.test(words) ? 'It is up.' : 'Told.');
  if (/how is shop/.test(words))
    return call('call-webhook', { webhook: 'status', body: { service: 'shop' }, explanation });
  if (/cancel build/.test(words)) return call('call-webhook', { webhook: 'build', body: { id: 7 }, explanation });
  if (!/tell the team/.test(words)) return say('All is well.');
  const isCorrected = /body\.text is missing/.test(JSON.stringify(request));
  return call('call-webhook', {
    webhook: 'team',
    body: isCorrected ? { text: 'Shop is up.' } : { msg: 'x' },
    explanation,
  });
};

let home: Home;
let person: TelegramPerson;
beforeAll(async () => {
  await new Promise<void>((done) => service.listen(0, '127.0.0.1', done));
  const origin = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
  home = await openHome(script);
  home.set({
    ...home.modelSettings,
    ...home.telegramSettings,
    WEBHOOK_TARGETS: JSON.stringify({
      team: { preset: 'slack', url: `${origin}/services/T0/B0/aZ3kQ9xW7pLm2Rt5Vb8N` },
      status: { url: `${origin}/status/{service}`, reads: true, says: 'Tells how a service is.' },
      build: { url: `${origin}/builds/{id}`, method: 'DELETE', says: 'Cancels a build.' },
    }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  await home.start();
  person = telegramPerson(home.telegram, 7001);
  person.says(/\/pair \S+/.exec(await home.paste('npx passepartout pair'))?.[0] ?? '');
  await person.reads(/paired/i);
});
afterAll(async () => {
  await home.close();
  service.close();
});

describe('services that the agent calls', () => {
  it('are known to the model, which gives the fields they take', async () => {
    person.says('tell the team that the shop is up');
    const card = await person.reads('Call the webhook team: text “Shop is up.”');
    expect(card.text).toContain('Shop is up.');
    expect(card.text).toContain('Address: http://127.0.0.1:');
    expect(card.text).not.toContain('aZ3kQ9xW7pLm2Rt5Vb8N');
    await person.taps(card, 'Approve');
    await person.reads('Told.');
    expect(got.splice(0)).toStrictEqual([
      ['POST', '/services/T0/B0/aZ3kQ9xW7pLm2Rt5Vb8N', 'application/json', '{"text":"Shop is up."}'],
    ]);
    expect(JSON.stringify(asked)).toContain(
      '- team: Writes a message into a channel of Slack. Body: text (What to say).',
    );
  });

  it('may be called by another method, at an address made of fields', async () => {
    person.says('cancel build 7');
    const card = await person.reads('Call the webhook build: id “7”');
    expect(card.text).toMatch(/Address: http:\S+\/builds\/7\n/);
    expect(card.text).toContain('Method: DELETE');
    await person.taps(card, 'Approve');
    await until('the build is cancelled', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([['DELETE', '/builds/7', undefined, '']]);
  });

  it('may be read without a card if a rule of the owner says so', async () => {
    const rule = 'permit(principal, action == Action::"call-webhook", resource) when { resource.name == "status" };';
    await home.paste(`echo '${rule}' > reads.cedar; npx passepartout policy set reads.cedar`);
    person.says('how is shop?');
    await until('it is read', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([['GET', '/status/shop', undefined, '']]);
    await person.reads('It is up.');
    expect(person.screen().join('\n')).not.toContain('Call the webhook status');
    const outside = asked.map((request) => JSON.stringify(request)).filter((text) => text.includes('up and running'));
    expect(outside.at(-1)).toMatch(/outside|untrusted/i);
  });

  it('get the result of a job', async () => {
    const made = await home.paste('npx passepartout jobs add report --at now --to webhook:team "Say how it is"');
    expect(made).toContain('The job report is made.');
    await until('the team is told', () => got.length > 0);
    expect(got.splice(0)).toStrictEqual([
      ['POST', '/services/T0/B0/aZ3kQ9xW7pLm2Rt5Vb8N', 'application/json', '{"text":"All is well."}'],
    ]);
  });

  it('are found by doctor, which sends them nothing, and are missed once they are gone', async () => {
    const before = got.length;
    expect(await home.paste('npx passepartout doctor')).toMatch(/webhook +team: takes a connection/);
    expect(got).toHaveLength(before);
    await new Promise((done) => {
      service.close(done);
      service.closeAllConnections();
    });
    const { code, out } = await home.run('npx passepartout doctor');
    expect([code, out]).toStrictEqual([
      1,
      expect.stringMatching(/webhook +team: takes no connection \(ECONNREFUSED\)/),
    ]);
    expect(out).toContain('mend its address in WEBHOOK_TARGETS, or wait for its service');
  });
});
