/**
 * Secrets that a tool returns or a model spells, on the running stack: they stand in no item of the
 * table, backup, export, later prompt, answer of the API or log line, and the place says that a
 * secret was left out. The secrets are of other functions than the one that meets them.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { readBackup } from '../../infra/features/backup/backup-file.ts';
import { runCli } from '../cli/cli-world.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { pairClient, type TakenJob } from '../support/runner-client.ts';
import { someOf } from '../support/sample.ts';
import { APPROVER_TOKEN, LOG_SIGNING_KEY, startTestStack, until } from '../support/stack.ts';

const APPROVER = 'Hq7vT2mZx9KcW4rBn8YpLd3GfS6jUaE1oQ5tViXk0Rw';
const MODEL_KEY = 'mk7Rq2xKd9TzB4nWc8YhJ5vLs3PfG6uEaQ1oZ0iXt';
const SIGNING = Buffer.from('c6b718aea4f8f4c915f55a1f2c992750f0f379c0dd6f43dad19ef323b40c3fe6', 'hex');
const SOURCE_SECRET = `whsec_${SIGNING.toString('base64')}`;
// Joined here, so that no file of the repository holds a form of a secret.
const GITHUB = ['ghp', 'a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8'].join('_');
const AWS = ['AKIA', 'Q7MZ4T2WX9KC3RBN'].join('');
const PEM_BODY = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7';
const PEM = [['-----BEGIN', 'PRIVATE KEY-----'].join(' '), PEM_BODY, '-----END PRIVATE KEY-----'].join('\n');

const base64 = (text: string): string => Buffer.from(text).toString('base64');
const hex = (text: string): string => Buffer.from(text).toString('hex');
const escaped = (text: string): string =>
  text.replace(/[a-z]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
const percent = (text: string): string => `%${(hex(text).match(/../g) ?? []).join('%')}`;

/** Each text with the words of it that must be nowhere. */
const WRITTEN: Readonly<Record<string, readonly [text: string, ...secrets: string[]]>> = {
  "the approver's token": [`token: ${APPROVER}`, APPROVER],
  'in upper case': [`token: ${APPROVER.toUpperCase()}`, APPROVER.toUpperCase()],
  'in base64': [base64(`the token is ${APPROVER}.`), base64(`the token is ${APPROVER}.`)],
  'in hex': [hex(APPROVER), hex(APPROVER)],
  'as percent escapes': [percent(APPROVER), percent(APPROVER)],
  'as JSON escapes': [escaped(APPROVER), escaped(APPROVER)],
  'over two lines': [`${APPROVER.slice(0, 20)}\n  ${APPROVER.slice(20)}`, APPROVER.slice(0, 20), APPROVER.slice(20)],
  'with invisible characters': [[...APPROVER].join('\u200b'), [...APPROVER].join('\u200b')],
  'a key of a provider': [`OPENAI_API_KEY=${MODEL_KEY}`, MODEL_KEY],
  'a signing secret': [SOURCE_SECRET, SOURCE_SECRET, SOURCE_SECRET.slice(6)],
  'a signing secret, decoded': [SIGNING.toString('hex'), SIGNING.toString('hex')],
  'a token of GitHub': [`export T=${GITHUB}`, GITHUB],
  'an access key of AWS': [`aws_access_key_id = ${AWS}`, AWS],
  'a private key': [PEM, PEM_BODY],
};
const NAMES = Object.keys(WRITTEN);
/** It lies across the end of the part that is shown, and the end of the part that is stored. */
const LONG = 'x '.repeat(47 * 1024);

const explanation = 'the owner asked for these characters';
const SHAPES: Readonly<Record<string, (text: string) => ScriptedAnswer>> = {
  reply: (text) => say(`Here it is: ${text}`),
  argument: (text) => call('remember', { text: `These are the characters: ${text}`, explanation }),
  'key of an argument': (text) => call('remember', { text: 'a note', [text]: 1, explanation }),
  explanation: (text) => call('remember', { text: 'a note', explanation: `the owner asked for ${text}` }),
};
const shapeNames = Object.keys(SHAPES);

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const asked = userTextOf(request);
  const [, shape, n] = /^spell (\d+) (\d+)$/m.exec(asked) ?? [];
  const [text] = WRITTEN[NAMES[Number(n)] ?? ''] ?? [''];
  const way = SHAPES[shapeNames[Number(shape)] ?? ''];
  if (way !== undefined) return way(text);
  if (toolResultsOf(request).length > 0) return say('I have read it.');
  if (/^read /m.test(asked))
    return call('shell', { cmd: 'cat notes.txt', folder: '/home/owner/docs', runner: 'home', explanation });
  return say('ok');
};

let session = 0;
const world = await startTestStack({
  script: answer,
  isPolling: false,
  environment: {
    OPENAI_API_KEY: MODEL_KEY,
    API_TOKENS: JSON.stringify({ other: { token: APPROVER, scopes: ['read', 'speak-as-owner'] } }),
    WEBHOOK_SECRETS: JSON.stringify({ ci: SOURCE_SECRET }),
  },
});
const runner = await pairClient(world, 'home');
afterAll(async () => {
  runner.close();
  await world.stop();
});

const post = async (text: string): Promise<string> => {
  session += 1;
  return (await world.api<{ id: string }>('POST', '/api/messages', { text, session: `left-out-${session}` })).body.id;
};

const take = async (id: string): Promise<TakenJob> => {
  for (;;) {
    const job = await runner.next();
    if (job.signed.job.id === `${id}#0`) return job;
    await job.message.remove();
  }
};

/** The machine's answer to "read": `text`, and how it ended. */
const readThrough = async (text: string, state: 'done' | 'failed' = 'done'): Promise<string> => {
  const id = await post('read the notes');
  const job = await take(id);
  await runner.claim(job);
  await job.message.remove();
  await runner.end(job, text, { state });
  await until('the model was told', async () => (await world.signal(id)).isTurnClosed);
  return id;
};

const cli = (words: readonly string[]) =>
  runCli(words, world.dataDir, {
    env: { APPROVER_TOKEN, LOG_SIGNING_KEY, BACKUP_PASSPHRASE: 'a passphrase of the tests' },
  });

/** Every place that somebody may read, as text. */
const readPlaces = async (ids: readonly string[]): Promise<Readonly<Record<string, string>>> => {
  const [exported, saved] = [join(world.dataDir, 'evidence.jsonl'), join(world.dataDir, `${ids[0]}.backup`)];
  expect(await cli(['evidence', 'export', '--out', exported])).toMatchObject({ code: 0, err: '' });
  expect(await cli(['backup', saved])).toMatchObject({ code: 0 });
  const lines: unknown[] = [];
  for await (const line of readBackup(saved, 'a passphrase of the tests')) lines.push(line);
  const answers = await Promise.all(ids.map((id) => world.api('GET', `/api/signals/${encodeURIComponent(id)}`)));
  return {
    table: JSON.stringify(await world.scan()),
    backup: JSON.stringify(lines),
    export: readFileSync(exported, 'utf8'),
    prompts: JSON.stringify(world.model.requests.map(({ messages }) => messages)),
    api: JSON.stringify(answers),
    log: world.log(),
  };
};

/** As the text stands in JSON, and in JSON within JSON. */
const spellings = (text: string): readonly string[] => {
  const once = JSON.stringify(text).slice(1, -1);
  return [text, once, JSON.stringify(once).slice(1, -1)];
};

const findLeft = (places: Readonly<Record<string, string>>): readonly string[] =>
  Object.entries(WRITTEN).flatMap(([name, [, ...secrets]]) =>
    Object.entries(places).flatMap(([place, text]) =>
      secrets.some((secret) => spellings(secret).some((one) => text.includes(one))) ? [`${name}: ${place}`] : [],
    ),
  );

describe('a secret', () => {
  it('that a model spells in a refused attempt is nowhere', async () => {
    const ids: string[] = [];
    const all = shapeNames.flatMap((_, shape) => NAMES.map((_, n) => `spell ${shape} ${n}`));
    for (const text of someOf('spelt secrets', all, 8)) {
      const id = await post(text);
      ids.push(id);
      await world.settled(id);
    }
    const refused = await Promise.all(ids.map(async (id) => ({ id, is: (await world.signal(id)).state })));
    expect(refused.filter(({ is }) => is !== 'refused')).toStrictEqual([]);
    const places = await readPlaces(ids);
    expect(findLeft(places)).toStrictEqual([]);
    expect(places.table).toContain('[a secret was left out here: ');
    expect(places.table).toContain('[what looks like a secret was left out here: GitHub token]');
  });

  it('that a tool returns is nowhere', async () => {
    const ids: string[] = [];
    for (const [text] of Object.values(WRITTEN)) ids.push(await readThrough(`first line\n${text}\nlast line`));
    ids.push(await readThrough(`${LONG}${APPROVER}${LONG}`), await readThrough(`cat: ${GITHUB}`, 'failed'));
    const places = await readPlaces(ids);
    expect(findLeft(places)).toStrictEqual([]);
    expect(places.prompts).toContain('left out: it holds');
    const file = join(world.dataDir, 'evidence.jsonl');
    const key = (await cli(['evidence', 'key'])).out.trim();
    expect(await cli(['verify', file, '--key', key])).toMatchObject({ code: 0 });
  });
});
