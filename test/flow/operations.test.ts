/**
 * The built-in runbooks of operations on the real stack: events in, signed webhooks out, a model
 * over HTTP, and a person who decides.
 */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { runCli, writeFolder } from '../cli/cli-world.ts';
import { call, type ModelServerRequest } from '../support/model-server.ts';
import { APPROVER_TOKEN } from '../support/stack.ts';
import { type Service, startOperations } from './operations-world.ts';

const DAY_MS = 24 * 3_600_000;
const OK = { status: 200, body: '{"status":"running"}' };

let service: Service = () => OK;
const asked: ModelServerRequest[] = [];

const world = await startOperations({
  webhooks: ['deployer', 'numbers'],
  sources: ['ci', 'monitor'],
  service: (post) => service(post),
  model: (request) => {
    asked.push(request);
    return call('give-answer', { text: 'Orders: 12. Nobody complained.', explanation: 'the runbook asks for it' });
  },
});
afterAll(world.stop);
beforeEach(async () => {
  service = () => OK;
  await world.mark();
});

const bodies = (from: number) => world.posts.slice(from).map(({ body }) => body);
const ofShop = (action: string) => ({ action, service: 'shop', version: '1.2' });
const failing: Service = ({ body }) => (body.action === 'status' ? { status: 200, body: '{"status":"failed"}' } : OK);

/** One yes covers the run's webhooks; the question is asked all the same. */
const startDeployment = async (): Promise<number> => {
  const before = world.posts.length;
  await world.command('/runbook run deploy-gate service=shop version=1.2 whole');
  await world.decide('run-runbook', 'approve');
  return before;
};

describe('deploy-gate', () => {
  it('asks, deploys, confirms and says so', async () => {
    const before = await startDeployment();
    expect(bodies(before)).toStrictEqual([]);
    const card = await world.decide('ask-person', 'approve');
    expect(card).toContain('Question: Deploy version 1.2 of shop?');
    await world.endWait();
    await world.run('done');
    expect(bodies(before)).toStrictEqual([ofShop('deploy'), ofShop('status')]);
    expect(await world.texts()).toContain('Version 1.2 of shop is deployed.');
  });

  it('rolls back if the answer says failed', async () => {
    service = failing;
    const before = await startDeployment();
    await world.decide('ask-person', 'approve');
    await world.endWait();
    await world.run('done');
    expect(bodies(before)).toStrictEqual([ofShop('deploy'), ofShop('status'), ofShop('rollback')]);
    expect(await world.texts()).toContain('Version 1.2 of shop failed and was rolled back.');
  });

  it('deploys nothing after a no', async () => {
    const before = await startDeployment();
    await world.decide('ask-person', 'deny');
    await world.run('failed');
    expect(bodies(before)).toStrictEqual([]);
  });

  it('is started by an event, whose words its inputs take', async () => {
    const before = world.posts.length;
    await world.command('/jobs add deploys event ci/deploy.requested runbook=deploy-gate');
    const card = await world.decide('schedule-job', 'approve');
    expect(card).toContain('4. confirm: webhook deployer');
    await world.event('ci', { type: 'deploy.requested', service: 'shop', version: '1.2' });
    expect(await world.decide('ask-person', 'approve')).toContain('Deploy version 1.2 of shop?');
    await world.decide('call-webhook', 'approve');
    await world.run('waiting');
    expect(bodies(before)).toStrictEqual([ofShop('deploy')]);
    const { id } = await world.run('waiting');
    expect(await world.command(`/runbook show ${id}`)).toContain('Now: step 3, since');
    expect(await world.command(`/runbook stop ${id}`)).toContain('It is stopped');
    await world.stack.tick();
    await world.run('stopped');
    expect(bodies(before)).toStrictEqual([ofShop('deploy')]);
  });
});

describe('certificate-expires', () => {
  const inDays = (days: number) => new Date(Date.now() + days * DAY_MS).toISOString().slice(0, 10);

  it('is started by a monitor’s event', async () => {
    await world.command(
      '/jobs add certificates event monitor/certificate.checked runbook=certificate-expires input.days=14',
    );
    await world.decide('schedule-job', 'approve');
    await world.event('monitor', { type: 'certificate.checked', name: 'shop.example', expires: inDays(10) });
    expect(await world.texts()).toStrictEqual([
      expect.stringMatching(/^shop\.example expires in (9|10) days: on \d{4}-\d\d-\d\d\.$/),
    ]);
  });

  it.each<[string, string, RegExp]>([
    ['that it is over', inDays(-3), /^shop\.example has expired: /],
    ['that a date cannot be read', 'soon', /^The expiry date of shop\.example cannot be read: soon/],
    ['nothing if there is time left', inDays(40), /^The runbook certificate-expires is done: 1 step\.$/],
  ])('says %s', async (_, expires, expected) => {
    await world.command(`/runbook run certificate-expires name=shop.example expires=${expires}`);
    await world.decide('run-runbook', 'approve');
    expect((await world.texts())[0]).toMatch(expected);
  });
});

describe('weekly-report', () => {
  it('collects from a webhook and memory, and sends the model’s summary', async () => {
    service = () => ({ status: 200, body: '{"orders":12}' });
    await world.command('/remember The shop release went well this week');
    await world.command('/runbook run weekly-report about=shop whole');
    await world.decide('run-runbook', 'approve');
    await world.run('done');
    expect(world.posts.at(-1)).toStrictEqual({ name: 'numbers', body: { report: 'weekly' } });
    const prompt = JSON.stringify(asked.at(-1)?.messages);
    expect(prompt).toContain('orders');
    expect(prompt).toContain('The shop release went well this week');
    expect(await world.texts()).toContain('Orders: 12. Nobody complained.');
  });
});

describe('/runbook', () => {
  it('lists, shows and tries runbooks', async () => {
    expect(await world.command('/runbook')).toContain('deploy-gate: Asks before a deployment');
    expect(await world.command('/runbook show weekly-report')).toContain('5. text: {{steps.summary.output}}');
    const before = world.posts.length;
    const tried = await world.command('/runbook dry-run deploy-gate --input service=shop --input version=1.2');
    expect(tried).toContain('webhook deployer {"action":"deploy","service":"shop","version":"1.2"}');
    expect(tried).toContain('call-webhook (webhook to deployer): would ask you first');
    expect(tried).toContain("only if steps.confirm.data?.status === 'failed', which is not known yet");
    const asJobs = '/runbook dry-run deploy-gate input.service=shop input.version="1.2 beta"';
    expect(await world.command(asJobs)).toContain('"service":"shop","version":"1.2 beta"');
    // What blocks it is named, not that it would have asked.
    expect(await world.command('/runbook dry-run weekly-report tickets=none')).toMatch(
      /call-webhook \(webhook to none\): would be refused\n +[^\n]*\((?!permissions)[a-z-]+\)\n(?! +[^\n]*\(permissions\))/,
    );
    expect(await world.command('/jobs dry-run deploys')).toContain('call-webhook (webhook to deployer): would ask');
    expect(world.posts.length).toBe(before);
  });

  it.each<[string, string]>([
    ['/runbook show nothing', 'there is no runbook and no run "nothing"'],
    ['/runbook stop run-none', 'there is no run "run-none"'],
    ['/runbook run deploy-gate', 'the input service is missing: Service to deploy'],
    ['/runbook run deploy-gate service shop', '"service shop" is no input'],
    ['/runbook run nothing', 'there is no runbook nothing'],
    ['/jobs add x every 1h runbook=deploy-gate', 'the input service is missing: Service to deploy'],
    ['/jobs add x every 1h runbook=nothing', 'there is no runbook nothing'],
  ])('answers %s in plain words', async (command, said) => {
    expect(await world.command(command)).toContain(said);
  });
});

describe('passepartout runbook', () => {
  const cli = (...words: string[]) => {
    writeFolder(world.stack.dataDir, world.stack.stack.url, process.pid);
    return runCli(['runbook', ...words], world.stack.dataDir, { env: { APPROVER_TOKEN } });
  };
  const file = () => {
    const path = join(world.stack.dataDir, 'hello.yaml');
    const lines = ['name: hello', 'description: Says hello.', 'inputs: { to: { meaning: To whom } }'];
    writeFileSync(path, [...lines, 'steps: [{ text: "Hello {{inputs.to}}" }]'].join('\n'));
    return path;
  };

  it('tries, runs and adds a file', async () => {
    const tried = await cli('dry-run', file(), '--input', 'to=Ada');
    expect(tried.out).toContain('a text (console to main): would be done');
    const ran = await cli('run', file(), '--input', 'to=Ada');
    expect(ran).toMatchObject({ code: 0, out: expect.stringContaining('The runbook hello runs') });
    expect(await world.texts()).toContain('Hello Ada');
    const { id } = await world.run('done');
    expect((await cli('show', id)).out).toContain('step 1: done');
    expect((await cli('runs')).out).toContain(`hello: done  ${id}`);
    expect(await cli('add', file())).toMatchObject({ code: 0, out: expect.stringContaining('hello') });
    expect((await cli('list')).out).toContain('hello: Says hello. (skill hello)');
    expect((await cli('show', 'nothing')).code).toBe(1);
  });

  it('says that a step waits, and how to decide on it', async () => {
    const { out } = await cli('run', 'deploy-gate', '--input', 'service=shop', '--input', 'version=1.2');
    expect(out).toMatch(
      /This waits for your yes:[\s\S]*Deploy version 1\.2 of shop\?[\s\S]*npx passepartout approve \w{6}/,
    );
    expect((await cli('runs')).out).toMatch(/deploy-gate: waits for your yes, step 1 since/);
  });
});
