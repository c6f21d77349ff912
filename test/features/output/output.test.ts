/** Outputs of tools, shown to a person: word by word, to whom they belong, and without a model. */
import { afterAll, describe, expect, it } from 'vitest';
import { buildOutputStore, showLongOutput } from '../../../lib/core/tools/long-output.ts';
import { call, type ModelServerRequest, say, toolResultsOf, userTextOf } from '../../support/model-server.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, until } from '../../support/stack.ts';
import { startTarget } from '../../support/target.ts';

const [OWNER, MEMBER, GROUP] = [7_551, 7_552, -7_553];
/** Put together here, so that no scanner takes this file for a leak. */
const KEY = ['AKIA', 'IOSFODNN7', 'EXQMPLA'].join('');
const WORDS = `live at https://evil.example\nkey ${KEY}`;

const target = await startTarget(({ body }) => ({
  status: 200,
  body: body.includes('long') ? `begin ${'x'.repeat(3_500)} end` : WORDS,
}));

/** Calls the webhook for "ask …", keeps a note for "keep …", and answers. */
const script = (request: ModelServerRequest) => {
  const text = userTextOf(request);
  const [, ref] = /^ask (\w+)$/m.exec(text) ?? [];
  if (toolResultsOf(request).length > 0) return say('Done.');
  if (ref !== undefined)
    return call('call-webhook', { webhook: 'shop', body: { ref }, explanation: 'the owner asked for the state' });
  if (text.includes('keep'))
    return call('remember', { text: 'The bike is blue.', explanation: 'the owner asked to keep it' });
  return say('Hello.');
};

const world = await startTestStack({
  allowedChats: [OWNER, GROUP],
  approvers: [OWNER],
  environment: target.environmentOf('shop'),
  script,
});
afterAll(async () => {
  await world.stop();
  target.close();
});

const write = async (text: string, chat = OWNER, from = OWNER) =>
  (await world.settled(signalIdOf(world.telegram.sendText(chat, from, text)))).replies.join('\n');

/** Asks, approves the card, and gives the task's id. */
const ask = async (ref: string): Promise<string> => {
  const { id } = await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, `ask ${ref}`)));
  const { body } = await world.api<{ approvals: { id: string }[] }>('GET', '/api/approvals', undefined, APPROVER_TOKEN);
  await world.api('POST', `/api/approvals/${body.approvals[0]?.id}`, { decision: 'approve' }, APPROVER_TOKEN);
  await until('it is done', async () => (await world.signal(id)).effects[0]?.state === 'done');
  await world.settled(id);
  return id;
};

interface Answer {
  readonly outputs: readonly { readonly id: string; readonly tool: string; readonly origin: string }[];
  readonly text: string;
  readonly part: number;
  readonly parts: number;
  readonly lines: readonly string[];
}
const get = (query: string, token = APPROVER_TOKEN) =>
  world.api<Answer>('GET', `/api/output${query}`, undefined, token);

describe('/output', () => {
  let asked = '';

  it('shows the words of others as theirs, without the secret, and asks no model', async () => {
    asked = await ask('state');
    const before = world.model.requests.length;
    const shown = await write('/output');
    expect(shown).toMatch(
      /^call-webhook \(done\), .*, tg-\d+-\d+#0:\nWords of others: each of their lines begins with >\n> /,
    );
    expect(shown).toContain('> {"status":200,"body":"live at hxxps://evil[.]example\\n[a secret was left out here]"}');
    expect(shown).not.toContain(KEY);
    expect(
      world.telegram
        .sent(OWNER)
        .at(-1)
        ?.entities?.filter(({ type }) => type !== 'code') ?? [],
    ).toStrictEqual([]);
    expect(world.model.requests).toHaveLength(before);
  });

  /** The answer while the effect has another output, as a tool could have given it. */
  const withOutput = async (output: string): Promise<string> => {
    const stored = (await world.scan()).find(({ pk, sk }) => String(pk).endsWith(`#${asked}`) && sk === 'effect#0');
    const key = { pk: String(stored?.pk), sk: 'effect#0' };
    await world.table.put(key, { ...stored, output });
    const shown = await write('/output');
    await world.table.put(key, { ...stored });
    return shown;
  };

  it('marks each line of others, so that none looks like another output', async () => {
    const lines = ['one', 'remember (done), now, tg-1-1#0:', '/approve everything'];
    expect((await withOutput(lines.join('\n'))).split('\n').slice(2)).toStrictEqual(lines.map((line) => `> ${line}`));
  });

  it('shows all that is stored of an output that the model saw only the beginning of', async () => {
    const text = 'a line of it\n'.repeat(5_000);
    const store = buildOutputStore(world.table, 'default');
    const kept = await store.keep(`${asked}#0`, { at: 1, text, origin: 'outside' });
    const shown = await withOutput(showLongOutput(`${asked}#0`, kept));
    expect(shown).toContain('\n> a line of it\n');
    expect(shown).toContain('Part 1 of 22.');
    expect(shown).not.toContain('read-output');
    // A text that only looks like a beginning is shown as it is.
    expect(await withOutput(showLongOutput('tg-1-1#0', kept))).toContain('Read on with read-output');
  });

  it('shows what the agent returned as it is, the newest first, and names the others', async () => {
    await write('keep that the bike is blue');
    const newest = await write('/output');
    expect(newest).toMatch(/^remember \(done\), .*#0:\n(?!Words of others)/);
    expect(newest).toMatch(/\n\/output 2: call-webhook, /);
    expect(await write('/output 2')).toMatch(/^call-webhook \(done\)[\s\S]*\n\/output 1: remember, /);
    expect(await write('/output 9')).toContain('the last turns here have 2 outputs');
    expect(await write(`/output ${asked}`)).toContain('live at hxxps://evil[.]example');
    expect(await write(`/output ${asked}#0`)).toContain('live at hxxps://evil[.]example');
    expect(await write(`/output ${asked}#7`)).toContain(`no tool returned anything in ${asked}#7`);
  });

  it('shows a long one in parts', async () => {
    const id = await ask('long');
    const first = await write('/output');
    expect(first).toContain(`Part 1 of 2. The next: /output ${id}#0 2`);
    const texts = await Promise.all([1, 2].map(async (part) => (await get(`?of=${id}&part=${part}`)).body.text));
    expect(texts.join('')).toContain(`begin ${'x'.repeat(3_500)} end`);
    expect(await write(`/output ${id} 2`)).toMatch(/Part 2 of 2\.$/m);
    expect(await write(`/output ${id} 3`)).toContain('it has 2 parts');
  });

  it('is said in German', async () => {
    await write('/language de');
    expect(await write('/output 3')).toMatch(/^call-webhook \(erledigt\), .*\nWorte anderer: Jede ihrer Zeilen/);
    await write('/language en');
  });

  it('is not for whoever may not see the conversation', async () => {
    expect(await write(`/output ${asked}`, GROUP, MEMBER)).toMatch(/Only an approver/);
    // Everybody in the group would read it.
    expect(await write(`/output ${asked}`, GROUP)).toMatch(/Everybody here would read|I know of no task/);
    await write('/memory open', GROUP);
    expect(await write(`/output ${asked}`, GROUP)).toContain('I know of no task');
    expect(await write('/output', GROUP)).toContain('no tool returned anything in the last turns here');
    expect((await get(`?of=${asked}`, 'wrong')).status).toBe(401);
  });
});

describe('GET /api/output', () => {
  it('gives the bare text with its origin, and says what does not fit', async () => {
    const { body } = await get('');
    expect(body).toMatchObject({ error: { message: 'no tool returned anything in the last turns here' } });
    expect((await get('?part=0')).status).toBe(400);
    expect((await get('?of=tg-1-1')).status).toBe(404);
  });
});
