/**
 * An action goes to the owner's machine and comes back, over the real stack: signed job, claim,
 * result, and each way in which it does not come back.
 */
import { hash, randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { DeleteMessageCommand, ReceiveMessageCommand, SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import { afterAll, describe, expect, it } from 'vitest';
import { buildStack } from '../../infra/runner/transport.ts';
import { isRetryable } from '../../lib/core/base/errors.ts';
import { HOUR_MS, MINUTE_MS } from '../../lib/core/base/limits.ts';
import { buildContents } from '../../lib/core/store/contents.ts';
import { runnerKeys, sessionKey } from '../../lib/core/store/keys.ts';
import { loadItem } from '../../lib/core/store/load-named.ts';
import type { SignalView } from '../../lib/core/wings/signals/view.ts';
import { loadRunners, runnersWrites } from '../../lib/features/runner/runner-powers.ts';
import { buildSigner } from '../../lib/features/runner/sign.ts';
import { buildAddedSkills } from '../../lib/features/skills/added-skills.ts';
import { runCli } from '../cli/cli-world.ts';
import { skillText } from '../features/skills/skill-world.ts';
import {
  call,
  type ModelServerRequest,
  type ScriptedAnswer,
  say,
  toolResultsOf,
  userTextOf,
} from '../support/model-server.ts';
import { ALLOWED, makeCode, pairClient, type TakenJob } from '../support/runner-client.ts';
import { APPROVER_TOKEN, startTestStack, until } from '../support/stack.ts';

const because = { explanation: 'the owner asked for exactly this' };
const DOCS = '/home/owner/docs';

const answer = (request: ModelServerRequest): ScriptedAnswer => {
  const results = toolResultsOf(request);
  if (results.length > 0) return say(`I read: ${results.join(' | ')}`);
  const asked = userTextOf(request);
  if (asked.startsWith('list')) return call('list-files', { path: DOCS, runner: 'home', ...because });
  if (asked.startsWith('write'))
    return call('write-file', { path: '/home/owner/site/a.txt', content: 'blue', runner: 'home', ...because });
  if (asked.startsWith('show the logo'))
    return call('shell', { cmd: 'cat /run/passepartout/skill/logo.png', skill: 'logos', runner: 'home', ...because });
  return say('ok');
};

const world = await startTestStack({ script: answer, isPolling: false });
const runner = await pairClient(world, 'home');
afterAll(async () => {
  runner.close();
  await world.stop();
});

let session = 0;
const post = async (text: string): Promise<string> => {
  session += 1;
  const { body } = await world.api<{ id: string }>('POST', '/api/messages', { text, session: `runner-${session}` });
  return body.id;
};

const stateOf = (id: string, state: string) =>
  until(`${id} is ${state}`, async () => {
    const view = await world.signal(id);
    return view.effects[0]?.state === state ? view : undefined;
  });

/** The answer that the model gave when it had heard the result. */
const replyOf = (id: string) =>
  until(`the answer of ${id}`, async () => {
    const { status, body } = await world.api<SignalView>('GET', `/api/signals/${encodeURIComponent(`${id}/r0`)}`);
    return status === 200 ? body.replies[0] : undefined;
  });

/** The next job of this signal; what is left of others goes. */
const take = async (id: string): Promise<TakenJob> => {
  for (;;) {
    const job = await runner.next();
    if (job.signed.job.id === `${id}#0`) return job;
    await job.message.remove();
  }
};

/** A job that waited for its approval, and got it. */
const postApproved = async (text: string) => {
  const id = await post(text);
  await stateOf(id, 'suspended');
  const { body } = await world.api<{ approvals: { id: string; signalId: string }[] }>('GET', '/api/approvals');
  const approval = body.approvals.find(({ signalId }) => signalId === id)?.id;
  await world.api('POST', `/api/approvals/${approval}`, { decision: 'approve' });
  return { id, approval };
};

const rowOf = (id: string) => loadItem(world.table, runnerKeys.job('default', `${id}#0`));

/** As if so much time had passed: nothing else of the row changes. */
const age = async (id: string, ms: number): Promise<void> => {
  const row = await rowOf(id);
  const earlier = (name: string) => (typeof row?.[name] === 'number' ? { [name]: row[name] - ms } : {});
  const set = { ...earlier('waitsUntil'), ...earlier('endsBy'), ...earlier('unfinishedAt') };
  await world.table.update(runnerKeys.job('default', `${id}#0`), { set });
};

describe('an action for a machine', () => {
  it('is signed, claimed, performed, and told to the model as outside text', async () => {
    const id = await post('list the documents');
    const job = await take(id);
    expect(job.signed.job).toMatchObject({ runner: 'home', action: { tool: 'list-files', args: { path: DOCS } } });
    await stateOf(id, 'handed');
    await until('it is suspended', async () => (await world.signal(id)).state === 'suspended');
    expect(await runner.claim(job)).toStrictEqual({ isYours: true, why: '' });
    // The answer was lost: the same claim has it still, and another has not.
    expect(await runner.claim(job)).toStrictEqual({ isYours: true, why: '' });
    const other = await runner.stack.claim({ id: `${id}#0`, receipt: job.receipt });
    expect(other.isYours).toBe(true);
    await job.message.remove();
    expect(await runner.stack.beat({ ids: [`${id}#0`] })).toStrictEqual({ stop: [] });
    expect(await runner.end(job, 'a.txt\nb.txt')).toStrictEqual({ isKept: true });
    // Its answer was lost too.
    expect(await runner.end(job, 'a.txt\nb.txt', { endedAt: Date.now() + 1 })).toStrictEqual({ isKept: false });
    const view = await stateOf(id, 'done');
    expect(view.effects[0]).toMatchObject({ output: 'a.txt\nb.txt' });
    expect(await replyOf(id)).toContain('a.txt');
    const evidence = await world.table.load(
      (['job', 'receipt', 'result'] as const).map((kind) => runnerKeys.evidence('default', id, 0, kind)),
    );
    expect(evidence.every((row) => row !== undefined)).toBe(true);
    expect(await rowOf(id)).toMatchObject({ isSettled: true });
    expect(JSON.stringify(await rowOf(id))).not.toContain('a.txt');
  });

  it('waits for its approval first, and is refused if the machine refuses it', async () => {
    const { id, approval } = await postApproved('write it down');
    const job = await take(id);
    expect(job.signed.job.consent?.kind).toBe('approval');
    expect(JSON.stringify(job.signed)).not.toContain(approval);
    const why = 'runner.yaml forbids it';
    expect(await runner.end(job, why, { state: 'refused', reason: why }, false)).toStrictEqual({ isKept: true });
    await job.message.remove();
    const view = await stateOf(id, 'refused');
    expect(view.effects[0]).toMatchObject({ reason: 'home refused it', output: why });
    expect(await replyOf(id)).toContain(why);
  });

  it('expires while the machine is off, after one word about the wait', async () => {
    const id = await post('list what waits');
    await stateOf(id, 'handed');
    await age(id, MINUTE_MS);
    await world.tick();
    const told = await world.settled(encodeURIComponent(`${id}/away`));
    expect(told.replies.join()).toContain('This waits for your machine home until');
    await age(id, HOUR_MS);
    await world.tick();
    const view = await stateOf(id, 'failed');
    expect(view.effects[0]?.reason).toMatch(/^home did not take it until \d{4}-\d\d-\d\d \d\d:\d\d UTC$/);
    const late = await take(id);
    expect(await runner.claim(late)).toMatchObject({ isYours: false });
    await late.message.remove();
  });

  it('is refused at its claim when everything was stopped meanwhile', async () => {
    const id = await post('list and stop');
    const job = await take(id);
    await stateOf(id, 'handed');
    await world.api('POST', '/api/stop', {});
    expect(await runner.claim(job)).toStrictEqual({ isYours: false, why: 'everything was stopped' });
    await job.message.remove();
    await world.api('POST', '/api/resume', {});
    const view = await stateOf(id, 'refused');
    expect(view.effects[0]).toMatchObject({ reason: 'everything was stopped' });
  });

  it.each([
    ['list, and be refused too often', { isYours: false, why: 'its conversation was stopped' }],
    ['write, and be refused too often', { isYours: true, why: '' }],
  ])('needs its approval once its conversation was stopped for its refusals: %s', async (text, claimed) => {
    const id = text.startsWith('write') ? (await postApproved(text)).id : await post(text);
    const job = await take(id);
    await stateOf(id, 'handed');
    const head = sessionKey('default', `console:runner-${session}`);
    await world.table.update(head, { set: { stoppedBecause: 'blocks', stoppedAt: 1 } });
    expect(await runner.claim(job)).toStrictEqual(claimed);
    await job.message.remove();
  });

  it('is told at once to wait for a machine that its owner ended, and /status counts it', async () => {
    await runner.stack.leave({});
    const id = await post('list once it is back');
    await stateOf(id, 'handed');
    const told = await world.settled(encodeURIComponent(`${id}/away`));
    expect(told.replies.join()).toContain('This waits for your machine home until');
    const status = await world.api<{ id: string }>('POST', '/api/messages', { text: '/status' });
    const { replies } = await world.settled(status.body.id);
    expect(replies.join()).toMatch(
      /^Machine home: stopped, .*; for it 1 call waits, the first until \d{4}-\d\d-\d\d \d\d:\d\d UTC\.$/m,
    );
    await runner.stack.open({ allow: ALLOWED });
    const job = await take(id);
    expect(await runner.claim(job)).toMatchObject({ isYours: true });
    await runner.end(job, 'a.txt');
    await job.message.remove();
    await stateOf(id, 'done');
  });

  it('is ended by a stop while it runs, and says both why and what it wrote', async () => {
    const id = await post('list and stop later');
    const job = await take(id);
    await runner.claim(job);
    await job.message.remove();
    await world.api('POST', '/api/stop', {});
    expect(await runner.stack.beat({ ids: [`${id}#0`] })).toStrictEqual({ stop: [`${id}#0`] });
    await world.api('POST', '/api/resume', {});
    // A resume revives nothing.
    expect(await runner.stack.beat({ ids: [`${id}#0`] })).toStrictEqual({ stop: [`${id}#0`] });
    await runner.end(job, 'half of it', { state: 'failed', reason: 'it was stopped' });
    const view = await stateOf(id, 'failed');
    expect(view.effects[0]).toMatchObject({ reason: 'home ended it before it was done', output: 'half of it' });
  });

  it('is unknown if nobody heard of it after its claim, and never runs again by itself', async () => {
    const id = await post('list and vanish');
    const job = await take(id);
    await runner.claim(job);
    await stateOf(id, 'handed');
    await age(id, 5 * MINUTE_MS);
    await world.tick();
    await stateOf(id, 'unknown');
    expect(await runner.claim(job)).toMatchObject({ isYours: false });
    // A person's retry asks the machine for nothing: a job runs once.
    await world.api('POST', `/api/signals/${id}/effects/0`, { resolution: 'retry' });
    const view = await stateOf(id, 'failed');
    expect(view.effects[0]?.reason).toMatch(/no job runs a second time/);
    await job.message.remove();
  });
});

describe('a file of a skill', () => {
  const [logo, twin] = [Buffer.from([0x89, 0x50, 0xff, 0x00]), Buffer.from([0xff, 0xd8])];
  const contents = buildContents({ SPACE: 'default', CONTENT_DIR: join(world.dataDir, 'contents') });
  const skills = buildAddedSkills(world.table, 'default', undefined, contents);
  const source = { by: 'console:owner', now: Date.now(), zone: 'UTC', signalId: 'con-1', effectId: 'con-1#0' };
  const put = async (name: string, files: Readonly<Record<string, Buffer>>, signalId: string): Promise<void> => {
    const machineFiles = Object.entries(files).map(async ([path, bytes]) => ({
      ...{ path, bytes: bytes.length, isForMachine: true as const },
      sha256: await skills.keep({ base64: bytes.toString('base64') }, 0),
    }));
    const wanted = [skillText(name), ...(await Promise.all(machineFiles))];
    await skills.add({ files: wanted, trust: 'owner' }, { ...source, signalId });
  };
  const textHash = hash('sha256', skillText('logos').text);
  const logoHash = hash('sha256', logo);
  const asked = (id: string, sha256: string) => runner.stack.file({ id: `${id}#0`, sha256 });
  const refusal = (answered: Promise<unknown>) => answered.then(() => '', String);

  it('is given to the machine that has its order, and to nobody else', async () => {
    await put('logos', { 'logo.png': logo }, 'con-files-1');
    await put('others', { 'twin.jpg': twin }, 'con-files-2');
    const id = await post('show the logo');
    const job = await take(id);
    const { action } = job.signed.job;
    expect(action.args).toMatchObject({
      skill: 'logos',
      files: [
        { path: 'SKILL.md', sha256: textHash },
        { path: 'logo.png', sha256: logoHash, bytes: logo.length },
      ],
    });
    const untaken = await refusal(asked(id, logoHash));
    expect(untaken).toContain('no order that this machine has names this file');
    expect(await runner.claim(job)).toMatchObject({ isYours: true });
    await job.message.remove();
    expect(await asked(id, logoHash)).toStrictEqual({ base64: logo.toString('base64') });
    expect(await asked(id, textHash)).toStrictEqual({
      base64: Buffer.from(skillText('logos').text).toString('base64'),
    });
    const request = { op: 'file', body: { id: `${id}#0`, sha256: logoHash } };
    expect(await runner.post('file', request, buildSigner(randomBytes(32)))).toMatchObject({ status: 401 });
    const second = await pairClient(world, 'second');
    for (const answered of [
      // Another machine's order, a file of another skill, and one that nobody has.
      second.stack.file({ id: `${id}#0`, sha256: logoHash }),
      asked(id, hash('sha256', twin)),
      asked(id, '0'.repeat(64)),
      asked('con-unknown', logoHash),
    ])
      expect(await refusal(answered)).toContain('no order that this machine has names this file');
    second.close();
    // The bytes are gone, the skill has another file, and then it is removed.
    await contents?.ofSkills.erase(logoHash);
    expect(await refusal(asked(id, logoHash))).toContain('the bytes of logo.png are gone: add the skill');
    await put('logos', { 'logo.png': twin }, 'con-files-3');
    expect(await refusal(asked(id, logoHash))).toContain('the skill logos was changed and has no such file any more');
    await skills.remove('logos', { ...source, signalId: 'con-files-4' });
    expect(await refusal(asked(id, logoHash))).toContain('there is no added skill of this name');
    // The other skill still has these bytes.
    expect(await contents?.ofSkills.load(hash('sha256', twin))).toStrictEqual(new Uint8Array(twin));
    await runner.end(job, 'none', { state: 'failed', reason: 'no file' });
    await stateOf(id, 'failed');
    expect(await refusal(asked(id, logoHash))).toContain('no order that this machine has names this file');
  });

  it('is named to no machine whose program does not fetch it', async () => {
    await put('logos', { 'logo.png': logo }, 'con-files-5');
    const open = { op: 'open', body: { allow: ALLOWED } };
    // As a program from before says it.
    const before = { 'passepartout-version': '0.1.0' };
    expect(await runner.post('open', open, runner.signer, before)).toMatchObject({ status: 200 });
    const id = await post('show the logo once more');
    const { replies } = await world.settled(id);
    expect(replies.join()).toContain('the program of the machine home is from before files of skills');
    await runner.stack.open({ allow: ALLOWED });
  });
});

describe('the requests of a machine', () => {
  const errorOf = async (response: Response) => {
    const { error } = (await response.json()) as { error: { code: string } };
    return [response.status, error.code];
  };
  const stranger = buildSigner(randomBytes(32));

  it.each<[string, () => Promise<Response>, readonly [number, string]]>([
    ['an unknown path', () => runner.post('nothing', {}), [404, 'not-found']],
    [
      'a key that is not paired',
      () => runner.post('open', { body: { allow: ALLOWED } }, stranger),
      [401, 'unauthorized'],
    ],
    ['an unknown name', () => runner.post('open', { runner: 'away', body: { allow: ALLOWED } }), [401, 'unauthorized']],
    ['no signature', () => runner.post('open', {}, runner.signer, { authorization: '' }), [401, 'unauthorized']],
    ['another path than was signed', () => runner.post('beat', { body: { allow: ALLOWED } }), [400, 'malformed']],
    [
      'an old request',
      () => runner.post('open', { at: Date.now() - 6 * MINUTE_MS, body: { allow: ALLOWED } }),
      [400, 'clock'],
    ],
    ['a body of another form', () => runner.post('open', { body: { allow: 1 } }), [400, 'malformed']],
    [
      'a used code',
      () =>
        runner.post('pair', {
          op: 'pair',
          runner: '',
          body: { secret: 'x', fingerprint: 'x', publicKey: runner.signer.publicKey, allow: ALLOWED },
        }),
      [403, 'no-code'],
    ],
    [
      'a key with more behind it',
      () =>
        runner.post('pair', {
          op: 'pair',
          runner: '',
          body: { secret: 'x', fingerprint: 'x', publicKey: `${runner.signer.publicKey}====`, allow: ALLOWED },
        }),
      [400, 'malformed'],
    ],
    ['a body that is too large', () => runner.post('open', { body: 'x'.repeat(300_000) }), [413, 'too-large']],
    [
      'a web page',
      () => runner.post('open', { body: { allow: ALLOWED } }, runner.signer, { origin: 'https://evil.example' }),
      [403, 'refused'],
    ],
  ])('are refused: %s', async (_, send, expected) => {
    expect(await errorOf(await send())).toStrictEqual(expected);
  });

  it('wait until a wrong clock is set, and lose no result meanwhile', async () => {
    const now = (): number => Date.now() - 6 * MINUTE_MS;
    const late = buildStack({ url: world.stack.url, signer: runner.signer, runner: 'home', now });
    const refusal = await late.beat({ ids: [] }).catch((error: unknown) => error);
    expect([isRetryable(refusal), String(refusal)]).toStrictEqual([true, expect.stringMatching(/clock .* set it/)]);
  });

  it('say that an idle machine is there, written down once a minute', async () => {
    const seenAt = async () =>
      (await loadRunners(world.table, 'default')).runners.find(({ name }) => name === 'home')?.seenAt;
    const before = await loadRunners(world.table, 'default');
    const old = before.runners.map((one) => ({ ...one, seenAt: Date.now() - 17 * MINUTE_MS }));
    await world.table.transact(runnersWrites('default', before, old));
    await runner.stack.beat({ ids: [] });
    const seen = await seenAt();
    expect(Date.now() - (seen ?? 0)).toBeLessThan(MINUTE_MS);
    await runner.stack.beat({ ids: [] });
    expect(await seenAt()).toBe(seen);
  });

  it('say that the machine was stopped, until it starts again', async () => {
    const listed = async () => (await runCli(['runners'], world.dataDir, { env: { APPROVER_TOKEN } })).out;
    await runner.stack.leave({});
    await runner.stack.beat({ ids: [] });
    expect(await listed()).toMatch(/^home: stopped, last seen just now$/m);
    await runner.stack.open({ allow: ALLOWED });
    expect(await listed()).toMatch(/^home: ready, last seen just now$/m);
  });

  it('spend a code once, and answer the same machine alike', async () => {
    // STS takes no name so short.
    const code = await makeCode(world, 's');
    const pair = (by: typeof stranger) =>
      runner.post('pair', { op: 'pair', runner: '', body: { ...code, publicKey: by.publicKey, allow: ALLOWED } }, by);
    const [first, again] = [await pair(stranger), await pair(stranger)];
    expect([first.status, again.status]).toStrictEqual([200, 200]);
    expect(await errorOf(await pair(buildSigner(randomBytes(32))))).toStrictEqual([403, 'no-code']);
    expect(await runner.post('open', { runner: 's', body: { allow: ALLOWED } }, stranger)).toMatchObject({
      status: 200,
    });
  });

  it('get credentials for one queue, for receiving only', async () => {
    const { queueUrl, region, endpoint = '', credentials } = await runner.stack.open({ allow: ALLOWED });
    const sqs = new SQSClient({ region, endpoint, credentials, maxAttempts: 1, useQueueUrlAsEndpoint: true });
    const act = world.stack.wiring.queues.find(({ name }) => name.startsWith('ActStageQueue'))?.url ?? '';
    const ask = (command: Promise<unknown>) =>
      command.then(
        () => 'ok',
        ({ name }: Error) => name,
      );
    const MessageBody = '{}';
    expect(await ask(sqs.send(new ReceiveMessageCommand({ QueueUrl: queueUrl })))).toBe('ok');
    expect(await ask(sqs.send(new ReceiveMessageCommand({ QueueUrl: act })))).not.toBe('ok');
    expect(await ask(sqs.send(new DeleteMessageCommand({ QueueUrl: act, ReceiptHandle: 'x' })))).not.toBe('ok');
    const send = new SendMessageCommand({
      QueueUrl: queueUrl,
      MessageBody,
      MessageGroupId: 'a',
      MessageDeduplicationId: 'a',
    });
    expect(await ask(sqs.send(send))).not.toBe('ok');
    const { pathname } = new URL(act);
    const hidden = new ReceiveMessageCommand({ QueueUrl: `${queueUrl}?a=${pathname}`, WaitTimeSeconds: 0 });
    const alone = new SQSClient({ region, endpoint, credentials, maxAttempts: 1, useQueueUrlAsEndpoint: false });
    expect(await ask(alone.send(hidden))).not.toBe('ok');
    alone.middlewareStack.add(
      (next) => (args) => {
        const request = args.request as { body: string; headers: Record<string, string> };
        request.body = '{'.padEnd(Number(request.headers['content-length']));
        return next(args);
      },
      { step: 'build', priority: 'low' },
    );
    expect(await ask(alone.send(hidden))).toBe('UnrecognizedClientException');
  });
});
