/**
 * Two releases on one space, one version apart: today's code ends the work that an earlier release
 * left, the earlier functions read and end the work of today's code, and both work on the same
 * queues at once, as in a linear shift. Whatever waits ends exactly once.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openCli } from '../support/cli.ts';
import {
  ask,
  BILL,
  CHATS,
  CONVERSATIONS,
  documentsSent,
  expectEndings,
  exportAll,
  LEAKING,
  leaveUnfinished,
  rule,
  STORED_BUDGET,
  STORY_LETTER,
  type StoryServers,
  sendDocument,
  sendVoice,
  startStory,
  tellStory,
  textsTo,
  write,
} from '../support/release-story.ts';
import { FIXTURES, type FunctionsRoot, fixturesWith, loadVerifier, writeRoot } from '../support/releases.ts';
import { someOf } from '../support/sample.ts';
import { signalIdOf, type TestStack, until } from '../support/stack.ts';

let servers: StoryServers;
let folder: string;
let functions: FunctionsRoot | undefined;
let world: TestStack | undefined;

const open = () => {
  beforeAll(async () => {
    servers = await startStory();
    folder = mkdtempSync(join(tmpdir(), 'passepartout-upgrade-'));
  });
  afterAll(async () => {
    await stop();
    await servers?.close();
    rmSync(folder, { recursive: true, force: true });
  });
};
const stop = async (): Promise<void> => {
  await world?.stop();
  functions?.remove();
  world = undefined;
  functions = undefined;
};
const start = async (choose: Parameters<typeof writeRoot>[0]): Promise<TestStack> => {
  await stop();
  functions = writeRoot(choose);
  world = await servers.start(folder, functions);
  return world;
};

/** Puts a message on its stage's queue, twice. */
const send = async ({ stack }: TestStack, bodies: readonly string[]): Promise<void> => {
  const sqs = new SQSClient({ endpoint: stack.endpoints.sqs, region: 'us-east-1', credentials: stack.credentials });
  for (const [n, body] of [...bodies, ...bodies].entries()) {
    const message = JSON.parse(body) as { stage: string; session?: string; space: string };
    const stage = ['draft', 'forget-again'].includes(message.stage) ? 'act' : message.stage;
    const plan = stack.wiring.eventSources.find(({ functionName }) => functionName === stage);
    const ids = { MessageGroupId: message.session ?? message.space, MessageDeduplicationId: `${n}` };
    await sqs.send(new SendMessageCommand({ QueueUrl: plan?.queue.url, MessageBody: body, ...ids }));
  }
  sqs.destroy();
};

/** The story changed the identity once, and two settings. */
const NAMED = '; by version 3 of the settings';

/** Nothing was given up, and no function met anything it could not read. */
const expectNoTrouble = async (on: TestStack): Promise<void> => {
  const log = on.log().split('\n');
  expect(log.filter((line) => line.includes('"level":"error"'))).toStrictEqual([]);
  const letters = (await on.scan()).filter(({ pk }) => pk.startsWith('dead-letter#'));
  expect(letters.filter(({ sk }) => sk !== STORY_LETTER)).toStrictEqual([]);
};

describe.each(fixturesWith('unfinished.sqlite.gz'))('work that the release of %s left', (day) => {
  open();

  it('is ended by its messages alone, each once', async () => {
    const read = (name: string) => readFileSync(join(FIXTURES, day, name));
    writeFileSync(join(folder, 'table.sqlite'), gunzipSync(read('unfinished.sqlite.gz')), { mode: 0o600 });
    const on = await start((name) => [name === 'heartbeat' ? 'silent' : 'today']);
    const bodies = read('messages.jsonl').toString().trim().split('\n');
    expect(new Set(bodies.map((body) => JSON.parse(body).stage))).toStrictEqual(
      new Set(['perceive', 'reason', 'act', 'draft', 'log', 'forget-again']),
    );
    await send(on, bodies);
    await expectEndings(on);
    await until('the log is begun', async () => (await on.api<{ size: number }>('GET', '/api/log')).body.size > 0);
    await expectNoTrouble(on);
  });

  it('is not repeated by a start, which ends the approval that nobody gave', async () => {
    const on = await start(() => ['today']);
    const [open] = (await on.scan()).filter(({ pk, sk }) => pk.startsWith('approval#') && sk === 'record');
    if (open === undefined) throw new Error('nothing waits');
    await on.table.update({ pk: open.pk, sk: open.sk }, { set: { expiresAtMs: 1, unfinishedAt: 1 } });
    await on.tick();
    await until('the approval has ended', () => textsTo(on, CHATS.asked).length > 0);
    expect(textsTo(on, CHATS.asked).join()).toMatch(/^(The rules have changed|Nobody approved it)\.$/);
    await expectEndings(on);
    await expectNoTrouble(on);
    expect(servers.deployed).toStrictEqual([]);
  });
});

describe.each(fixturesWith('functions.json.br'))('the release of %s on data of today, and back', (day) => {
  open();
  let named = '';
  let filed: readonly string[] = [];
  let bill: Awaited<ReturnType<typeof sendDocument>>;
  const contents = () => readdirSync(join(folder, 'contents', 'default'));

  it('goes on with all that today left in the middle', async () => {
    const before = await start(() => ['today']);
    await tellStory(before);
    bill = await sendDocument(before, BILL);
    filed = [bill.id, (await sendVoice(before)).id];
    expect(contents().sort()).toStrictEqual([bill.hash, `${bill.hash}.text`]);
    named = await until('a decision names the version of the settings', async () => {
      const { id, decision } = await ask(before, 'hello', 'settings');
      return decision?.attempts.at(-1)?.tierBecause?.endsWith(NAMED) === true && id;
    });
    if (functions !== undefined) await leaveUnfinished(before, functions, servers);
    const on = await start(() => [day]);
    await expectEndings(on);
    expect(servers.deployed).toStrictEqual(['one', 'three']);
  });

  it('knows what was remembered, forgotten, set and granted', async () => {
    const on = world as TestStack;
    const recalled = async (words: string) => (await ask(on, `/recall ${words}`, 'recalls')).replies?.join();
    expect(await recalled('spare key')).toContain('under the blue pot');
    expect(await recalled('heron')).not.toContain('nests');
    expect((await ask(on, '/identity')).replies?.join()).toContain('Jeeves');
    expect((await ask(on, '/config get BUDGET_DAY_USD')).replies?.join()).toMatch(STORED_BUDGET);
    expect((await ask(on, `/why ${named}`)).replies?.join()).toContain(`${NAMED})`);
    expect((await ask(on, '/snapshots')).replies?.join()).toContain('first');
    expect((await ask(on, 'hello', 'main')).replies).toStrictEqual(['re hello']);
  });

  it('knows the document and the recording that came to today, leaves its bytes, and reads another', async () => {
    const on = world as TestStack;
    for (const id of filed) {
      expect(await on.signal(id)).toMatchObject({ state: 'acted' });
      expect((await ask(on, `/why ${id}`)).replies?.join()).toContain('read-attachment');
    }
    expect(textsTo(on, CHATS.files)).toContain('I heard: “what was said”');
    expect((await sendDocument(on, LEAKING)).state).toBe('acted');
    expect(contents()).toStrictEqual(expect.arrayContaining([bill.hash, `${bill.hash}.text`]));
  });

  it('goes back to the snapshot that today made', async () => {
    const on = world as TestStack;
    await ask(on, '/remember the bike is blue');
    await ask(on, '/rollback first');
    await rule(on, 'rollback', 'approve');
    await until('the note is gone', async () => !(await ask(on, '/recall bike')).replies?.join().includes('blue'));
    expect((await ask(on, '/recall spare key', 'recalls')).replies?.join()).toContain('under the blue pot');
  });

  it('asks again for what was granted or asked, if its gates are others', async () => {
    const on = world as TestStack;
    const decisions = (await on.scan()).filter(({ sk }) => sk === 'decision');
    const areOthers = new Set(decisions.map(({ gateSet }) => gateSet)).size > 1;
    const isOver = () => textsTo(on, CHATS.asked).includes('The rules have changed.');
    if (areOthers) await until('the question of today has ended', isOver);
    await ask(on, 'deploy three', 'deploys');
    expect(servers.deployed).toStrictEqual(areOthers ? ['one', 'three'] : ['one', 'three', 'three']);
    if (areOthers) await rule(on, 'three', 'approve');
    await until('it is deployed', () => servers.deployed.length === 3);
    expect(isOver()).toBe(areOthers);
  });

  it('exports what both verify', async () => {
    const on = world as TestStack;
    const file = join(folder, 'export.jsonl');
    await exportAll(on, file);
    const cli = openCli(on.stack.url);
    const key = (await cli.run('evidence', 'key')).out.trim();
    const anchor = join(folder, 'anchors', 'default.txt');
    expect((await cli.run('verify', file, '--key', key, '--anchor', anchor)).out.split('\n')[0]).toBe('verified');
    const lines = readFileSync(file, 'utf8').trim().split('\n');
    const options = { key, anchor: readFileSync(anchor, 'utf8'), now: Date.now() };
    const verifyExport = await loadVerifier(day);
    expect(await verifyExport(lines, options)).toMatchObject({ status: 'verified' });
    cli.remove();
    await expectNoTrouble(on);
  });

  it('hands all of it back to today, which replays and goes on', async () => {
    const on = await start(() => ['today']);
    expect((await ask(on, 'hello')).replies).toStrictEqual(['re hello']);
    expect((await ask(on, '/config get BUDGET_DAY_USD')).replies?.join()).toMatch(STORED_BUDGET);
    await write(on, CHATS.files, `send ${bill.words}`);
    expect(documentsSent(on)).toBe(1);
    // An earlier release keeps no words of a document, so they are read before they are judged.
    const leaking = await sendDocument(on, LEAKING);
    rmSync(join(folder, 'contents', 'default', `${leaking.hash}.text`));
    await write(on, CHATS.files, `send ${leaking.words}`);
    expect(documentsSent(on)).toBe(1);
    expect(contents()).toContain(`${leaking.hash}.text`);
    const cli = openCli(on.stack.url);
    expect(await cli.run('replay', '--since', '1d')).toMatchObject({ code: 0 });
    cli.remove();
    await expectEndings(on);
    expect(servers.deployed).toStrictEqual(['one', 'three', 'three']);
    await expectNoTrouble(on);
  });
});

/** Which versions of the functions take turns. */
const SHIFTS: readonly (readonly [string, (day: string) => Parameters<typeof writeRoot>[0]])[] = [
  ['each function in turn', (day) => () => ['today', day]],
  ['Perceive and Act of the earlier, Reason of today', (day) => (name) => [name === 'reason' ? 'today' : day]],
  ['Perceive and Act of today, Reason of the earlier', (day) => (name) => [name === 'reason' ? day : 'today']],
];

describe.each(fixturesWith('functions.json.br'))('both, %s and today, on the same queues', (day) => {
  open();

  const shifts = someOf('shifts', SHIFTS, 1);
  it.each(shifts)('end each message of many conversations once: %s', async (_, shift) => {
    const on = await start(shift(day));
    const before = CONVERSATIONS.map((chat) => textsTo(on, chat).length);
    const said = CONVERSATIONS.flatMap((chat) =>
      ['hello', `keep the number ${chat}`].map((text) => [chat, on.telegram.sendText(chat, chat, text)] as const),
    );
    for (const [, update] of said) await on.settled(signalIdOf(update));
    const after = CONVERSATIONS.map((chat, n) => textsTo(on, chat).slice(before[n]));
    expect(after).toStrictEqual(CONVERSATIONS.map(() => ['re hello', 'Done.']));
    await expectNoTrouble(on);
    for (const name of ['perceive', 'reason', 'act'] as const)
      for (const version of new Set(shift(day)(name)))
        expect(functions?.countOf(name, version), name).toBeGreaterThanOrEqual(CONVERSATIONS.length / 2);
  });

  it('end with nothing remembered twice, in a log that holds all of it', async () => {
    const on = await start(() => ['today']);
    const notes = (await on.scan()).filter(({ pk, sk }) => pk.startsWith('memory#') && sk.startsWith('object#'));
    expect(notes.filter((note) => JSON.stringify(note).includes('the number'))).toHaveLength(
      shifts.length * CONVERSATIONS.length,
    );
    const file = join(folder, 'export.jsonl');
    await exportAll(on, file);
    const cli = openCli(on.stack.url);
    expect((await cli.run('verify', file)).out).toMatch(/^consistent/);
    cli.remove();
    await expectNoTrouble(on);
  });
});
