/**
 * Another system that wants to hear of approvals and failures, from a clean folder: it is connected
 * by the set-up, subscribed, told, given a new secret without a gap, and told no more. Commands are
 * pasted as they were printed.
 */
import { readFileSync } from 'node:fs';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Home, openHome, type Program } from '../../../journeys/support/home.ts';
import { call, say, toolResultsOf, userTextOf } from '../../../support/model-server.ts';
import { until } from '../../../support/stack.ts';

interface Post {
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
}
const posts: Post[] = [];
/** It takes news, and nothing else. */
const receiver = createServer(async (request, response) => {
  let text = '';
  for await (const chunk of request) text += chunk;
  const isNews = text.includes('"timestamp"');
  if (isNews) posts.push({ headers: request.headers, text });
  response.writeHead(isNews ? 200 : 400).end();
});

let home: Home;
let stack: Program;
beforeAll(async () => {
  await new Promise<void>((done) => receiver.listen(0, '127.0.0.1', done));
  home = await openHome((request) =>
    userTextOf(request).includes('deploy') && toolResultsOf(request).length === 0
      ? call('call-webhook', { webhook: 'ops', body: { go: true }, explanation: 'it was asked for' })
      : say('ok'),
  );
  home.set(home.modelSettings);
});
afterAll(async () => {
  await home.close();
  receiver.close();
});

const secrets: string[] = [];
/** The type of a piece of news, which each of these secrets signed. */
const typeOf = ({ headers, text }: Post, ...of: readonly string[]): string => {
  for (const secret of of) new Webhook(secret).verify(text, headers as Record<string, string>);
  return JSON.parse(text).type;
};
/** Asks for a call that the receiver refuses, and allows it. @returns the news it brings */
const deploy = async (): Promise<readonly Post[]> => {
  const before = posts.length;
  const asked = await home.run('npx passepartout send "deploy it"');
  const [approve = ''] = /npx passepartout approve \w+/.exec(asked.out) ?? [];
  const approved = await home.run(approve);
  await until('both are told', () => posts.length >= before + 2);
  expect(await home.paste(printed(approved.out, /npx passepartout why \S+/))).toContain(
    'Effect 0: webhook – failed – the webhook refused it (status 400)',
  );
  return posts.slice(before);
};
const printed = (out: string, command: RegExp): string => command.exec(out)?.[0] ?? `nothing of ${command} in ${out}`;

describe('another system', () => {
  it('is connected by the set-up, and subscribed', async () => {
    const setup = home.open('npx passepartout setup --only webhook');
    const { port } = receiver.address() as AddressInfo;
    for (const [question, answer] of [
      ['Its address (https://…)', `http://127.0.0.1:${port}/ops`],
      ['A name for it', 'ops'],
      ['How does it know that a call is yours?', '1'],
      ['Send one test call', 'n'],
    ] as const) {
      await setup.prints(question);
      setup.type(answer);
    }
    secrets.push(/whsec_\S+/.exec(await setup.prints('Set up.'))?.[0] ?? '');
    await setup.end();
    stack = await home.start();
    const none = await home.paste('npx passepartout hooks subscriptions');
    const subscribe = printed(none, /npx passepartout hooks subscribe <name> <kinds>/);
    const told = await home.paste(
      subscribe.replace('<name>', 'ops').replace('<kinds>', 'approval.waiting effect.failed'),
    );
    expect(told).toContain('The webhook ops is told from now on: approval.waiting, effect.failed.');
    const [waiting, failed] = await deploy();
    expect([waiting, failed].map((post) => post && typeOf(post, ...secrets)).toSorted()).toStrictEqual([
      'approval.waiting',
      'effect.failed',
    ]);
    const deliveries = await home.paste(printed(told, /npx passepartout hooks deliveries ops/));
    expect(deliveries.match(/ done: /g)).toHaveLength(2);
    expect(await home.paste('npx passepartout hooks deliveries')).toMatch(/^\w{3} [\d-]{10} [\d:]{5} ops done: /m);
    // The owner looked, and it had happened all the same: the receipt says who says so.
    const { id, n } = [waiting, failed].map((post) => JSON.parse(post?.text ?? '').data).find((data) => 'n' in data);
    await home.paste(`npx passepartout effects resolve ${id}#${n} done`);
    const receipt = await home.paste(`npx passepartout receipt ${id}#${n} --out done.json`);
    const verified = await home.paste(printed(receipt, /npx passepartout verify .*/));
    expect(verified).toMatch(/^verified$/m);
    expect(verified).toContain('it ended as "done", because a person said so, ');
  });

  it('is given a new secret, while the old one counts too', async () => {
    const targets = JSON.parse(parseEnv(readFileSync(join(home.folder, '.env'), 'utf8')).WEBHOOK_TARGETS ?? '{}');
    const [old = ''] = secrets;
    const fresh = `whsec_${Buffer.alloc(24, 9).toString('base64')}`;
    const use = async (secret: string | readonly string[]) => {
      await stack.end();
      const value = JSON.stringify({ ops: { ...targets.ops, secret } });
      await home.paste(`npx passepartout setup --only webhook --set 'WEBHOOK_TARGETS=${value}'`);
      stack = await home.start();
      return deploy();
    };
    for (const post of await use([fresh, old])) expect(typeOf(post, fresh, old)).toMatch(/^approval|^effect/);
    for (const post of await use(fresh)) {
      expect(typeOf(post, fresh)).toMatch(/^approval|^effect/);
      expect(() => typeOf(post, old)).toThrow('No matching signature found');
    }
  });

  it('is told no more', async () => {
    expect(await home.paste('npx passepartout hooks subscriptions')).toContain('ops: approval.waiting, effect.failed');
    const ended = await home.paste('npx passepartout hooks unsubscribe ops');
    expect(ended).toContain('The webhook ops is told no more news.');
    const before = posts.length;
    await home.run('npx passepartout send "deploy it"');
    expect(await home.paste('npx passepartout hooks subscriptions')).toContain('No webhook is told my news.');
    expect(posts).toHaveLength(before);
  });
});
