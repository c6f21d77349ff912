/**
 * A deployment: a build server's signed event starts a job that was approved whole on its card, its
 * runbook asks one question, and a deployment that fails is taken back without a further yes.
 */
import { writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { until } from '../support/stack.ts';
import { type Home, openHome } from './support/home.ts';
import { type TelegramPerson, telegramPerson } from './support/telegram-person.ts';

const [OUT, IN] = ['deployer', 'build server'].map(
  (name) => `whsec_${Buffer.from(`secret of the ${name}`).toString('base64')}`,
);
const RUNBOOK = `
name: restart-service
description: Restarts a service after you said yes, and takes it back if it does not come up.
inputs:
  service: { meaning: Name of the service, default: "{{event.body.service}}" }
tools: [call-webhook]
steps:
  - ask: Restart {{inputs.service}}?
  - webhook: ops
    body: { action: restart, service: "{{inputs.service}}" }
    undo: { webhook: ops, body: { action: undo, service: "{{inputs.service}}" } }
  - webhook: ops
    body: { action: confirm, service: "{{inputs.service}}" }
    if-fails: { then: undo }
  - text: "{{inputs.service}} is up again."
`;

/** What the deployer got; it cannot confirm the service `broken`. */
const got: unknown[] = [];
const deployer = createServer(async (request, response) => {
  let body = '';
  for await (const chunk of request) body += chunk;
  new Webhook(OUT ?? '').verify(body, request.headers as Record<string, string>);
  const { action, service } = JSON.parse(body);
  got.push([action, service]);
  response.writeHead(action === 'confirm' && service === 'broken' ? 400 : 200).end('{}');
});

let home: Home;
let person: TelegramPerson;
beforeAll(async () => {
  await new Promise<void>((resolve) => deployer.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(deployer.address() as AddressInfo).port}/hook`;
  home = await openHome();
  home.set({
    ...home.telegramSettings,
    WEBHOOK_TARGETS: JSON.stringify({ ops: { url, secret: OUT } }),
    WEBHOOK_SECRETS: JSON.stringify({ ci: IN }),
    ALLOW_LOOPBACK_WEBHOOKS: '1',
  });
  await home.start();
  person = telegramPerson(home.telegram, 7001);
  const [code = ''] = /\/start \S+|\/pair \S+/.exec(await home.paste('npx passepartout pair')) ?? [];
  person.says(code);
  await person.reads(/paired/i);
});
afterAll(async () => {
  await home?.close();
  deployer.close();
});

let events = 0;
const sendEvent = async (service: string): Promise<void> => {
  events += 1;
  const [id, at] = [`event-${events}`, new Date()];
  const body = JSON.stringify({ type: 'restart', service });
  const headers = {
    'content-type': 'application/json',
    'webhook-id': id,
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(IN ?? '').sign(id, at, body),
  };
  const { status } = await fetch(`${home.url()}/webhook/ci`, { method: 'POST', headers, body });
  expect(status).toBe(202);
};

describe('a deployment', () => {
  it('has a runbook that is checked, tried and added', async () => {
    writeFileSync(join(home.folder, 'restart.yaml'), RUNBOOK);
    expect(await home.paste('npx passepartout runbook check restart.yaml')).toContain('nothing is wrong with it');
    await home.paste('npx passepartout runbook add restart.yaml --mine');
    const tried = 'npx passepartout runbook dry-run deploy-gate --input service=shop --input version=1.2';
    expect(await home.paste(tried)).toContain('Deploy version 1.2 of shop?');
    expect(got).toStrictEqual([]);
  });

  it('has a job that is approved as a whole, on a card that says what the yes permits', async () => {
    person.says('/jobs add restarts event ci/restart runbook=restart-service --approve-whole "20 30d"');
    const card = await person.reads('Your yes covers 20 runs');
    expect(card.text).toContain('webhook ops {"action":"undo","service":"{{event.body.service}}"}, up to 20 times');
    expect(card.text).toContain('Asks you each time: step 1 (ask).');
    await person.taps(card, 'Approve');
    await person.reads('The job restarts is made.');
    expect(await home.paste('npx passepartout jobs dry-run restarts')).toContain('You approved this job as a whole');
  });

  it('asks once, and takes back by itself what failed', async () => {
    await sendEvent('broken');
    await person.taps(await person.reads('Restart broken?'), 'Yes');
    await person.reads(/restart-service failed: .*taken back/);
    expect(got).toStrictEqual([
      ['restart', 'broken'],
      ['confirm', 'broken'],
      ['undo', 'broken'],
    ]);
  });

  it('runs for the next event at once', async () => {
    got.length = 0;
    await sendEvent('shop');
    await person.taps(await person.reads('Restart shop?'), 'Yes');
    await person.reads('shop is up again.');
    expect(got).toStrictEqual([
      ['restart', 'shop'],
      ['confirm', 'shop'],
    ]);
    const history = await until('the run is closed', async () => {
      const out = await home.paste('npx passepartout jobs history restarts');
      return !out.includes('not ended yet') && out;
    });
    expect(history).toMatch(/ran on time/);
    expect(history).toMatch(/failed/);
  });

  it('stands beside a job in time, as the README makes one', async () => {
    const made = 'npx passepartout jobs add morning --cron "0 8 * * 1-5" "Check the deploys and tell me what failed"';
    expect(await home.paste(made)).toContain('The job morning is made.');
    expect(await home.paste('npx passepartout jobs dry-run morning')).toContain(
      'It would ask the model: Check the deploys',
    );
    await home.paste('npx passepartout jobs history morning');
  });
});
