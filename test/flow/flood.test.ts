/**
 * Flood control through the three stages over a real table: which conversation is stopped and when,
 * what is refused then and stays refused, that its owner hears of it once, and that only an
 * approver lifts it. Every count survives repeats and crashes.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { BLOCKS_PER_HOUR_MAX, PENDING_APPROVALS_MAX } from '../../lib/core/base/limits.ts';
import { loadHead, loadStoppedSessions, stopSession } from '../../lib/core/ledger/session-controls.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Payload } from '../../lib/core/signal/signal.ts';
import { startDynamo } from '../support/dynamo.ts';
import { isSampled } from '../support/sample.ts';
import { type Answer, ownerMessage, signalWith } from '../support/simulation.ts';
import { callTool } from './adversity-world.ts';
import { type ApprovalWorld, buildApprovalWorld } from './approval-world.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const HOUR_MS = 3_600_000;
const STOPPED = /^I stopped the conversation telegram:7: /;
const DEPLOY = { webhook: 'deploys', body: { ref: 'main', to: 'production' } };

/**
 * `bad` proposes three actions that are blocked, in each of its attempts. `late` is blocked once
 * and then asks to deploy, as `deploy` does. `sloppy` forgets its explanation, or gives no argument
 * that fits. Anything else is answered.
 */
const answerFor = ({ messages }: Prompt): Answer => {
  const last = messages.findLast(({ role, content }) => role === 'user' && /bad|late|deploy|sloppy|fine/.test(content));
  const said = last?.content ?? '';
  const rejections = messages.filter(({ content }) => content.includes('permissions')).length;
  if (messages.at(-1)?.content.includes('state: ') === true) return { content: 'That is how it went.' };
  if (/late/.test(said) && rejections >= 1) return callTool('call-webhook', DEPLOY);
  const bad = callTool('no-such-tool', {});
  if (/late/.test(said)) return bad;
  if (/bad/.test(said)) return { toolCalls: [1, 2, 3].flatMap(() => bad.toolCalls ?? []) };
  if (/sloppy reason/.test(said)) return callTool('recall', { query: 'bike' }, '');
  if (/sloppy/.test(said)) return callTool('shell', { command: 'ls' });
  return /deploy/.test(said) ? callTool('call-webhook', DEPLOY) : { content: 'Fine.' };
};

const build = () => buildApprovalWorld(dynamo.table, { answer: answerFor });

const headOf = (world: ApprovalWorld, chat = '7') =>
  loadHead(dynamo.table, { space: world.space, session: `telegram:${chat}` });

const resume = async (world: ApprovalWorld, payload: Partial<Payload> = {}, chat = '7', isApprover = true) => {
  world.simulation.advance(10);
  const id = `tg-1-9${world.simulation.operations()}`;
  const signal = signalWith(world.space, id, { sensor: 'resume', ...payload } as Payload, chat, world.simulation.now());
  await world.send({ ...signal, sender: { id: `telegram:${chat}`, isApprover } });
  world.simulation.advance(10);
};

/** A space whose chat 7 has just been stopped by its twelfth block. */
const flooded = async () => {
  const world = build();
  for (let n = 0; n < 4; n += 1) await world.say(`bad ${n}`);
  return world;
};

describe('a conversation with more than ten blocked actions within an hour', () => {
  it('is stopped by the one that is too many, and its owner told once, with how to resume', async () => {
    const world = build();
    for (let n = 0; n < 3; n += 1) await world.say(`bad ${n}`);
    expect((await headOf(world))?.blocks?.map(({ n }) => n)).toStrictEqual([3, 3, 3]);
    expect((await headOf(world))?.stoppedBecause).toBe(undefined);
    await world.say('bad 3');
    expect(await headOf(world)).toMatchObject({ stoppedBecause: 'blocks', stoppedBy: 'tg-1-4' });
    expect(await loadStoppedSessions(dynamo.table, world.space)).toStrictEqual(['telegram:7']);
    const told = world.texts().filter((text) => STOPPED.test(text));
    expect(told).toHaveLength(1);
    expect(told[0]).toContain(`more than ${BLOCKS_PER_HOUR_MAX} actions were blocked`);
    expect(told[0]).toContain('/resume telegram:7');
  });

  it('asks no model any more, says so to whoever asks, and others go on', async () => {
    const world = await flooded();
    const calls = world.simulation.modelCalls();
    const id = await world.say('fine');
    expect(world.simulation.modelCalls()).toBe(calls);
    expect((await world.evidence(id)).record).toMatchObject({
      state: 'refused',
      stateReason: 'the conversation is stopped',
    });
    expect(world.texts().at(-1)).toMatch(/^This conversation is stopped: more than 10 actions/);
    await world.say('fine', '8');
    expect(world.texts().at(-1)).toBe('Fine.');
  });

  it('counts only the last hour', async () => {
    const world = build();
    for (let n = 0; n < 3; n += 1) await world.say(`bad ${n}`);
    world.simulation.advance(HOUR_MS + 1);
    await world.say('bad 3');
    expect((await headOf(world))?.stoppedBecause).toBe(undefined);
    expect((await headOf(world))?.blocks).toHaveLength(1);
  });

  it('counts what a turn was blocked with that acts in the end, before it acts', async () => {
    const world = build();
    for (let n = 0; n < 3; n += 1) await world.say(`bad ${n}`);
    await world.say('late 1');
    expect((await headOf(world))?.blocks?.at(-1)).toMatchObject({ id: 'tg-1-4', n: 1 });
    const id = await world.say('late 2');
    expect((await headOf(world))?.stoppedBecause).toBe('blocks');
    const { effects } = await world.evidence(id);
    expect(effects).toMatchObject([{ state: 'refused', facts: [{ flood: { isSessionStopped: true } }] }]);
    expect(world.simulation.sent.filter(({ target }) => target === 'webhook')).toStrictEqual([]);
  });

  it.each(['sloppy reason', 'sloppy command'])('counts no fault of form: %s', async (said) => {
    const world = build();
    for (let n = 0; n < 5; n += 1) await world.say(`${said} ${n}`);
    expect((await headOf(world))?.blocks).toBe(undefined);
  });

  it('counts the attempts at one message as one', async () => {
    const world = buildApprovalWorld(dynamo.table, { answer: () => callTool('no-such-tool', {}) });
    for (let n = 0; n < 4; n += 1) await world.say(`go ${n}`);
    expect((await headOf(world))?.blocks?.map(({ n }) => n)).toStrictEqual([1, 1, 1, 1]);
  });

  it('tells the model of the argument that is missing, and not of the class that nobody found', async () => {
    const prompts: Prompt[] = [];
    const answer = (prompt: Prompt): Answer => {
      prompts.push(prompt);
      return prompts.length === 1 ? callTool('shell', { command: 'ls' }) : { content: 'Fine.' };
    };
    await buildApprovalWorld(dynamo.table, { answer }).say('list my files');
    const told = prompts[1]?.messages.at(-1)?.content ?? '';
    expect(told).toMatch(/shell: the arguments do not fit the tool: .*cmd/);
    expect(told).not.toContain('class');
  });

  it('writes nothing on a turn with nothing blocked', async () => {
    const world = build();
    await world.say('fine');
    expect(await headOf(world)).not.toHaveProperty('controlRound');
    expect((await world.evidence('tg-1-1')).decision?.actions[0]?.facts[0]?.flood).toBe(null);
  });

  it('is stopped once, and its owner told once, whichever operation the process dies after', async () => {
    for (let k = 1; k < 90; k += 1) {
      if (!isSampled('flood', k)) continue;
      const world = build();
      for (let n = 0; n < 3; n += 1) await world.say(`bad ${n}`);
      await world.simulation.accept(ownerMessage(world.space, 50, 'bad 3'));
      world.simulation.crashAt(k);
      await world.simulation.drain();
      expect({ k, blocks: (await headOf(world))?.blocks?.map(({ n }) => n) }).toStrictEqual({
        k,
        blocks: [3, 3, 3, 3],
      });
      const told = world.texts().filter((text) => STOPPED.test(text)).length;
      const unknown = (await world.evidence('tg-1-50/stopped')).effects.some(({ state }) => state === 'unknown');
      expect({ k, told: unknown ? 1 : told }).toStrictEqual({ k, told: 1 });
      if (world.simulation.crashes.length === 0) return;
    }
    throw new Error('the last crash was not the last operation');
  });
});

describe('a stopped conversation', () => {
  it('is resumed by an approver only, there or from elsewhere, and counts from the start again', async () => {
    const world = await flooded();
    await resume(world, {}, '7', false);
    expect(world.texts().at(-1)).toBe('Only an approver can resume.');
    expect((await headOf(world))?.stoppedBecause).toBe('blocks');
    await resume(world, { session: 'telegram:7' }, '8');
    expect(world.texts().at(-1)).toMatch(/^The conversation telegram:7 goes on\./);
    expect(await loadStoppedSessions(dynamo.table, world.space)).toStrictEqual([]);
    await world.say('fine');
    expect(world.texts().at(-1)).toBe('Fine.');
    await world.say('bad 4');
    expect((await headOf(world))?.blocks?.map(({ n }) => n)).toStrictEqual([3]);

    const here = await flooded();
    await resume(here);
    expect(here.texts().at(-1)).toMatch(/^The conversation telegram:7 goes on\./);
    expect((await headOf(here))?.stoppedBecause).toBe(undefined);
  });

  it('is not resumed by a repeat of an older resume', async () => {
    const world = await flooded();
    const early = signalWith(world.space, 'tg-1-80', { sensor: 'resume' }, '7', world.simulation.now() - 5);
    await world.send(early);
    expect((await headOf(world))?.stoppedBecause).toBe('blocks');
  });

  it('refuses what was queued for good, and takes no yes until it goes on', async () => {
    const world = build();
    for (let n = 0; n < 3; n += 1) await world.say(`bad ${n}`);
    const asked = await world.say('deploy now');
    const approvalId = await world.approvalOf(asked);
    await world.simulation.accept(world.tapOf(approvalId, 'approve'));
    // The yes is taken, and its action still queued when the conversation is stopped.
    while (world.simulation.queue[0]?.stage !== 'act') await world.simulation.deliverNext();
    const queued = world.simulation.queue.splice(0);
    world.simulation.advance(5);
    await world.say('bad 3');
    await resume(world);
    world.simulation.queue.push(...queued);
    await world.simulation.drain();
    expect(await world.statesOf(asked)).toStrictEqual(['refused']);
    expect(world.calls()).toStrictEqual([]);
    expect(world.texts().join('\n')).toContain('It was stopped before it was done, and will not be done.');
  });

  it('takes a yes that comes after the stop, and performs nothing else', async () => {
    const world = build();
    const [first, second] = [await world.say('deploy one'), await world.say('deploy two')];
    for (let n = 0; n < 4; n += 1) await world.say(`bad ${n}`);
    expect(world.texts().join('\n')).toContain('Cards that wait there can still be approved or denied.');
    world.simulation.advance(10);
    await world.send(world.tapOf(await world.approvalOf(first), 'approve'));
    expect(world.calls()).toHaveLength(1);
    expect((await headOf(world))?.stoppedBecause).toBe('blocks');
    await world.send(world.tapOf(await world.approvalOf(second), 'deny'));
    expect(world.calls()).toHaveLength(1);
  });

  it('answers a yes without taking it if a person asked for the stop, and takes a no', async () => {
    const world = build();
    const [first, second] = [await world.say('deploy one'), await world.say('deploy two')];
    const stop = { because: 'asked', by: 'tg-1-2' } as const;
    const ref = { space: world.space, session: 'telegram:7' };
    await stopSession(dynamo.table, ref, await headOf(world), stop, world.simulation.now());
    for (const what of ['approve', 'allow-similar'] as const) {
      await world.send(world.tapOf(await world.approvalOf(first), what));
      expect(world.texts().at(-1)).toBe(
        'The conversation telegram:7 is stopped; nothing is performed there. /resume telegram:7 first, then approve. Denying works.',
      );
    }
    expect(await world.approval(await world.approvalOf(first))).toMatchObject({ state: 'pending' });
    await world.send(world.tapOf(await world.approvalOf(second), 'deny'));
    expect(await world.statesOf(second)).toStrictEqual(['refused']);
    expect((await world.evidence(`${second}/d0`)).record).toMatchObject({ state: 'refused' });
    await resume(world);
    expect(world.calls()).toStrictEqual([]);
    await world.send(world.tapOf(await world.approvalOf(first), 'approve'));
    expect(world.calls()).toHaveLength(1);
  });

  it('says so in /status, here and elsewhere', async () => {
    const world = await flooded();
    await world.send(world.command('status'));
    expect(world.texts().at(-1)).toMatch(/^This conversation is stopped/);
    await world.send({ ...signalWith(world.space, 'tg-1-70', { sensor: 'command', name: 'status', rest: '' }, '8') });
    expect(world.texts().at(-1)).toContain('Stopped conversations: telegram:7');
  });
});

describe('the twenty-first approval', () => {
  it('is not asked for: its conversation is stopped, its owner told once, the others keep theirs', async () => {
    const world = build();
    for (let n = 0; n < PENDING_APPROVALS_MAX; n += 1) await world.say(`deploy ${n}`, n % 2 === 0 ? '7' : '8');
    expect((await headOf(world))?.stoppedBecause).toBe(undefined);
    const id = await world.say('deploy more');
    expect(await headOf(world)).toMatchObject({ stoppedBecause: 'approvals', stoppedBy: id });
    expect((await headOf(world, '8'))?.stoppedBecause).toBe(undefined);
    expect((await world.evidence(id)).effects).toMatchObject([
      { state: 'refused', reason: `${PENDING_APPROVALS_MAX} approvals are open already: decide some first` },
    ]);
    expect(world.texts().filter((text) => STOPPED.test(text))).toHaveLength(1);
    expect(world.texts().filter((text) => text.includes('one more approval while 20 were waiting'))).not.toHaveLength(
      0,
    );
    await world.say('fine', '8');
    expect(world.texts().at(-1)).toBe('Fine.');
  });
});

describe('what a person denied', () => {
  const reasons = async (world: ApprovalWorld, id: string) =>
    (await world.evidence(id)).attempts.flatMap(({ judged }) => judged.flatMap(({ trace }) => trace.at(-1)?.reason));
  const denied = async () => {
    const world = build();
    const first = await world.say('deploy now');
    await world.send(world.tapOf(await world.approvalOf(first), 'deny'));
    return world;
  };
  const fromWebhook = (world: ApprovalWorld, id: number, at: number) => ({
    ...ownerMessage(world.space, id, 'deploy now', '7', at),
    sender: { id: 'telegram:13', isApprover: false },
  });

  it('is not proposed again by others within the hour, and the model hears why', async () => {
    const world = await denied();
    await world.send(fromWebhook(world, 60, world.simulation.now()));
    expect((await world.evidence('tg-1-60')).record?.state).toBe('refused');
    expect(await reasons(world, 'tg-1-60')).toStrictEqual(
      Array.from({ length: 2 }, () => expect.stringMatching(/^a person denied exactly this: /)),
    );
    expect(world.texts().at(-1)).toContain('– call-webhook: a person denied exactly this (repeat)');
    expect((await world.evidence('tg-1-60')).decision?.reason).toBe(
      'call-webhook: a person denied exactly this (repeat)',
    );
    world.simulation.advance(HOUR_MS + 1);
    await world.send(fromWebhook(world, 61, world.simulation.now()));
    expect(await world.statesOf('tg-1-61')).toStrictEqual(['suspended']);
  });

  it('may be asked for again by an approver, and in another conversation', async () => {
    const world = await denied();
    expect(await world.statesOf(await world.say('deploy now'))).toStrictEqual(['suspended']);
    expect(await world.statesOf(await world.say('deploy now', '8'))).toStrictEqual(['suspended']);
  });
});
