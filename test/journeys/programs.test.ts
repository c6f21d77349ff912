/**
 * The walk of the README of the OpenAI-compatible API, as it stands there: two lines of `.env`, the
 * start, words by curl and by the official client, a yes that is given elsewhere, and the doctor.
 */
import { appendFileSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import OpenAI from 'openai';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';
import { type Home, openHome } from './support/home.ts';

const README = readFileSync(join(ROOT, 'lib/features/responses/README.md'), 'utf8');
const block = (kind: string): string => new RegExp(`\`\`\`${kind}\\n([^]*?)\`\`\``).exec(README)?.[1] ?? '';
const curl = /^curl .*$/m.exec(block('sh'))?.[0] ?? '';
const front = JSON.parse(block('json')).provider.passepartout.options as { baseURL: string; apiKey: string };

let home: Home;
beforeAll(async () => {
  home = await openHome();
  appendFileSync(join(home.folder, '.env'), block('ini'));
  await home.start();
});
afterAll(() => home?.close());

const here = (text: string): string => text.replace('http://127.0.0.1:8787', home.url());

it('answers the line of the README', async () => {
  const { output } = JSON.parse((await home.run(here(curl).replace('curl', 'curl -sS'))).out);
  expect(output[0].content[0].text).toContain('Noted');
});

it('serves a program with the address, key and model that a front end is told', async () => {
  const client = new OpenAI({ apiKey: front.apiKey, baseURL: here(front.baseURL) });
  const content = 'what do you remember about my bike?';
  const stream = client.chat.completions.stream({ model: 'passepartout', messages: [{ role: 'user', content }] });
  expect(await stream.finalContent()).toContain('my bike is blue');
});

it('tells where to give a yes, which a terminal gives', async () => {
  const client = new OpenAI({ apiKey: front.apiKey, baseURL: here(front.baseURL) });
  const asked = await client.responses.create({ model: 'passepartout', input: 'call the webhook deploy' });
  expect(asked.output_text).toContain(`This waits for your yes, which counts on the page alone`);
  expect(asked.output_text).toContain(`${home.url()}/`);
  const id = /^(\w{6}) {2}/m.exec(await home.paste('npx passepartout approvals'))?.[1];
  expect(await home.paste(`npx passepartout deny ${id}`)).toContain('Denied');
  const ended = await client.responses.retrieve(asked.id);
  expect(ended.output_text).not.toContain('waits for your yes');
});

it('is known to the doctor', async () => {
  expect((await home.run('npx passepartout doctor')).out).toContain(`they speak at ${home.url()}/v1, such as chat`);
});
