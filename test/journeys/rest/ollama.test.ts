/** A person without a key: first no Ollama runs, then one does, without a model and with one. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { say } from '../../support/model-server.ts';
import { type Home, openHome } from '../support/home.ts';

let models: readonly string[] = [];
/** Lists its models as Ollama does; its answers are those of the model server. */
const ollama = createServer(async (request, response) => {
  if (request.url === '/api/tags') {
    response.end(JSON.stringify({ models: models.map((name) => ({ name })) }));
    return;
  }
  let body = '';
  for await (const chunk of request) body += chunk;
  const { method = 'GET', url = '' } = request;
  const answer = await fetch(`${new URL(home.model.baseUrl).origin}${url}`, {
    method,
    headers: { 'content-type': 'application/json' },
    ...(method === 'POST' ? { body } : {}),
  });
  response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
  response.end(await answer.text());
});
const address = () => `127.0.0.1:${(ollama.address() as AddressInfo).port}`;

let home: Home;
beforeAll(async () => {
  ollama.listen(0, '127.0.0.1');
  await once(ollama, 'listening');
  home = await openHome(() => say('I am the small model.'));
});
afterAll(async () => {
  await home?.close();
  ollama.close();
});

it('is told that none runs, and gets the demo model', async () => {
  home.set({ OLLAMA_HOST: '127.0.0.1:9' });
  const setup = home.open('npx passepartout setup --plain --only model');
  await setup.prints('Which model shall answer?');
  setup.type('6');
  await setup.prints('No Ollama answers at http://127.0.0.1:9. Start it with "ollama serve"');
  await setup.end();
  const program = await home.start();
  expect(program.output()).toContain('the demo model, a script');
  await program.end();
});

it('is told that it has no model, and then chooses one', async () => {
  home.set({ OLLAMA_HOST: address() });
  const setup = home.open('npx passepartout setup --plain --only model');
  await setup.prints('Which model shall answer?');
  setup.type('6');
  await setup.prints('Ollama has no model yet: "ollama pull qwen3" gets one.');
  models = ['qwen3:4b', 'scripted'];
  setup.type('6');
  await setup.prints('Which of its models?');
  setup.type('2');
  await setup.prints('ollama: reachable.');
  await setup.prints('Set up.');
  await setup.end();
});

it('needs no set-up where one runs, and is answered by it', async () => {
  home.set({ OLLAMA_BASE_URL: '', OLLAMA_MODEL: '', PROVIDER_CASCADE: '' });
  models = ['scripted'];
  const program = await home.start();
  expect(program.output()).toContain('ollama/scripted (found on this machine)');
  expect(await home.paste('npx passepartout send hello')).toContain('I am the small model.');
  await program.end();
});
