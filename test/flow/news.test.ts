/**
 * News: texts of jobs and services that nobody asked for. Each line is told, in a digest, or
 * counted, exactly once (I15), and no run fails for it. What a person waits for comes at once.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { digestsPartition, parseDigest } from '../../lib/core/ledger/digests.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { pairedChatKey } from '../../lib/core/ledger/paired-chats.ts';
import type { Action } from '../../lib/core/signal/action.ts';
import type { ActuatorResult } from '../../lib/core/signal/actuator.ts';
import { CHOICE_TAP } from '../../lib/core/signal/ids.ts';
import { withContext } from '../../lib/core/signal/task-tools.ts';
import { approvalKey, indexPartitions } from '../../lib/core/store/keys.ts';
import type { JobDefinition } from '../../lib/features/jobs/job.ts';
import { loadHistory, loadJob } from '../../lib/features/jobs/read-jobs.ts';
import { findRunbook } from '../../lib/features/runbooks/find-runbook.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { atStep, sampleSteps, TAKES_MORE } from '../support/sample.ts';
import { scanSpace } from '../support/scan.ts';
import { buildSimulation, Crash, type SimulationOptions, signalWith } from '../support/simulation.ts';

const MINUTE = 60_000;
/** Of one source, in ten minutes. */
const EVENTS = TAKES_MORE ? 1_000 : 200;
/** The begin of an hour. */
const START = Date.parse('2026-11-24T10:00:00Z');

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

let spaces = 0;

interface Wrong {
  /** Answers the n-th call to the chat, counted from 1; undefined takes it. */
  readonly chat?: (call: number, action: Action) => ActuatorResult | undefined;
  /** The body that webhooks answer with. */
  readonly webhook?: string;
}

/** A space with a chat that has messages, which are edited. */
const openWorld = (changes: Partial<SimulationOptions> = {}, { chat, webhook = '{"status":"ok"}' }: Wrong = {}) => {
  spaces += 1;
  const space = `news-${spaces}`;
  const messages = new Map<number, string>();
  let calls = 0;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    startAt: START,
    answer: () => ({ content: 'ok' }),
    webhookUrls: { deployer: 'https://deploy.example/hook' },
    outside: (action) => {
      if (action.target === 'webhook')
        return { state: 'done', output: JSON.stringify({ status: 200, body: webhook }), origin: 'outside' };
      calls += 1;
      const refused = chat?.(calls, action);
      if (refused !== undefined) return refused;
      const message = action.edits?.message ?? calls;
      messages.set(message, action.text ?? '');
      return { state: 'done', output: JSON.stringify({ messageIds: [message] }), origin: 'agent' };
    },
    ...changes,
  });
  let n = 0;
  /** An event, and all that follows. */
  const event = async (source: string, kind: string, text: string, body = {}) => {
    n += 1;
    const payload = { sensor: 'webhook', source, event: kind, body, text: [{ text, origin: 'outside' }] } as const;
    const hook = signalWith(space, `wh-${source}:${n}`, { ...payload, text: [...payload.text] }, '7', simulation.now());
    const sender = { id: `webhook:${source}`, isApprover: false };
    await simulation.accept({ ...hook, source: 'webhook', session: `webhook:${source}`, sender });
    await simulation.drain(5_000);
  };
  /** Minutes pass, each with the heartbeat's work. Where it dies, the next minute goes on. */
  const minutes = async (count: number) => {
    for (let minute = 0; minute < count; minute += 1) {
      simulation.advance(MINUTE);
      for (const work of [simulation.tickJobs, simulation.sweep])
        await work().catch((error: unknown) => {
          if (!(error instanceof Crash)) throw error;
          simulation.crashAt(Number.POSITIVE_INFINITY);
        });
      await simulation.drain(5_000);
    }
  };
  const tellJob = async (
    source: string,
    name = `tell-${source}`,
    changed: Partial<JobDefinition> = {},
    inputs: Readonly<Record<string, string>> = {},
  ) => {
    const hash = (await findRunbook(dynamo.table, space, 'tell'))?.hash ?? '';
    const work = {
      kind: 'runbook',
      runbook: 'tell',
      hash,
      inputs: { text: '{{event.text}}', hourly: '8', ...inputs },
    } as const;
    const when = { kind: 'event', source } as const;
    await makeJob(
      dynamo.table,
      space,
      sampleJob({ name, when, work, promises: 'nothing', ...changed }),
      simulation.now(),
    );
  };
  const command = async (line: string): Promise<string> => {
    const before = new Set(messages.keys());
    const [name = '', ...rest] = line.slice(1).split(' ');
    n += 1;
    const payload = { sensor: 'command', name, rest: rest.join(' ') } as const;
    await simulation.accept(signalWith(space, `tg-1-${n}`, payload, '7', simulation.now()));
    await simulation.drain(5_000);
    return [...messages].flatMap(([id, text]) => (before.has(id) ? [] : [text])).join('\n');
  };
  const approve = async () => {
    const partition = indexPartitions.pendingApprovals(space);
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    if (items.length === 0) return;
    const approvalId = String(items[0]?.pk).slice(approvalKey(space, '').pk.length);
    n += 1;
    const yes = { sensor: 'approval-decision', approvalId, decision: 'approve' } as const;
    await simulation.accept(signalWith(space, `tg-1-${n}`, yes, '7', simulation.now()));
    await simulation.drain(5_000);
  };
  /** Taps the first choice below a text. */
  const tap = async (text: string | undefined, isApprover: boolean) => {
    n += 1;
    const sent = simulation.sent.find((one) => one.text === text)?.effectId ?? '';
    const signalId = sent.slice(space.length + 1, -'#0'.length);
    const payload = { sensor: 'send-again', signalId, n: 0, tries: CHOICE_TAP, chat: '7', message: 5 } as const;
    const signal = signalWith(space, `tg-1-${n}`, payload, '7', simulation.now());
    await simulation.accept({ ...signal, sender: { id: 'telegram:7', isApprover } });
    await simulation.drain(5_000);
  };
  const digests = async () =>
    (await dynamo.table.query({ pk: digestsPartition(space), isConsistent: true })).items.map(parseDigest);
  const history = async (job: string) =>
    (await loadHistory(dynamo.table, space, job, 1_000)).map(({ occurrence: { state, why = '' } }) =>
      why === '' ? state : `${state}: ${why}`,
    );
  const texts = () => [...messages.values()];
  return { space, simulation, messages, texts, event, minutes, tellJob, command, approve, tap, digests, history };
};

type World = ReturnType<typeof openWorld>;

/** How often each line stands in the chat, and how many a digest says to be older. */
const accountOf = ({ texts }: World, lines: readonly string[]) => {
  const all = texts();
  const standing = all.flatMap((text) => text.split('\n').map((line) => line.replace(/^– /, '')));
  const times = lines.map((line) => standing.filter((one) => one === line).length);
  const older = all.flatMap((text) => Number(/^\((\d+) older ones? not shown/m.exec(text)?.[1] ?? 0));
  return {
    once: times.filter((count) => count === 1).length,
    twice: times.filter((count) => count > 1).length,
    older: older.reduce((sum, count) => sum + count, 0),
  };
};

describe('news (I15)', () => {
  it('of ten pull requests behind the first question are told or in one message, and no run fails', async () => {
    const world = openWorld({ variables: { EVENTS_WITHOUT_JOB: 'record' } });
    for (let n = 1; n <= 8; n += 1) await world.event('github', `kind_${n}`, `kind ${n}`);
    // A source asks one question at a time, and a question takes no share.
    expect(world.texts().filter((text) => text.includes('from now on?'))).toHaveLength(1);
    await world.tellJob('github');
    const lines = Array.from({ length: 10 }, (_, n) => `pull request ${n + 1}`);
    for (const line of lines) await world.event('github', 'pull_request', line);
    expect(accountOf(world, lines)).toStrictEqual({ once: 8, twice: 0, older: 0 });
    await world.minutes(1);
    expect(accountOf(world, lines)).toStrictEqual({ once: 10, twice: 0, older: 0 });
    expect(world.texts().at(-1)).toBe(
      ['tell-github: 2 more this hour: 2 pull requests', ...lines.slice(8).map((line) => `– ${line}`)].join('\n'),
    );
    expect(new Set(await world.history('tell-github'))).toStrictEqual(new Set(['fired']));
    const shown = await world.command('/news tell-github');
    expect(shown.split('\n')[0]).toBe('Tue 2026-11-24 10:00 tell-github: pull request 10');
    expect(await world.command('/news nobody')).toContain('all came one by one');
  });

  it('of failures of a job: the first at once, the others in its digest until it works again or is paused', async () => {
    let isDown = true;
    const call = { id: 'c1', name: 'call-webhook', argumentsText: '{"webhook":"nobody","body":{},"explanation":"x"}' };
    const world = openWorld({ answer: () => (isDown ? { toolCalls: [call] } : { content: 'The pump runs.' }) });
    await world.tellJob('pump', 'pump', { work: { kind: 'prompt', text: 'Start the pump' }, pauseAfter: 3 });
    /** The beginnings of what a run says at once, and of its digest a minute later. */
    const run = async () => {
      const before = world.texts().length;
      await world.event('pump', 'on', 'on');
      const atOnce = world.texts().slice(before);
      await world.minutes(1);
      const digest = world.texts().find((text) => text.includes('more this hour')) ?? '';
      return [...atOnce.map((text) => text.slice(0, 21)), digest.split('\n')[0]];
    };
    const [failed, none] = ['I could not do that: ', 'pump: 1 more this hour:'];
    expect(await run()).toStrictEqual([failed, '']);
    expect(await run()).toStrictEqual([none]);
    isDown = false;
    expect(await run()).toStrictEqual(['The pump runs.', none]);
    isDown = true;
    expect(await run()).toStrictEqual([failed, none]);
    expect(await run()).toStrictEqual(['pump: 2 more this hour: 2 failures']);
    expect(await run()).toStrictEqual(['pump: 3 more this hour: 3 failures']);
    expect(world.texts().at(-1)).toMatch(/^The job pump was paused after 3 failures in a row/);
  });

  it('of a second job in the same hour do not fail or pause it, and the next hour has a message of its own', async () => {
    const world = openWorld();
    await world.tellJob('github');
    await world.tellJob('oven');
    for (let n = 1; n <= 12; n += 1) await world.event('github', 'push', `push ${n}`);
    const lines = Array.from({ length: 7 }, (_, n) => `oven ${n + 1}`);
    for (const line of lines) await world.event('oven', 'on', line);
    await world.minutes(1);
    expect(accountOf(world, lines)).toStrictEqual({ once: 7, twice: 0, older: 0 });
    expect(await world.history('tell-oven')).toStrictEqual(Array.from({ length: 7 }, () => 'fired'));
    expect((await loadJob(dynamo.table, world.space, 'tell-oven'))?.state).toBe('active');
    world.simulation.advance(60 * MINUTE);
    for (let n = 8; n <= 16; n += 1) await world.event('oven', 'on', `oven ${n}`);
    await world.minutes(1);
    expect(world.texts().at(-1)).toBe('tell-oven: 1 more this hour:\n– oven 16');
  });

  it(`of ${EVENTS} events of one source are each told, in the digest, or counted, in few messages`, async () => {
    const world = openWorld();
    await world.tellJob('github');
    const lines = Array.from({ length: EVENTS }, (_, n) => `push number ${n + 1}`);
    for (const [n, line] of lines.entries()) {
      await world.event('github', 'push', line);
      if ((n + 1) % (EVENTS / 10) === 0) await world.minutes(1);
    }
    const { once, twice, older } = accountOf(world, lines);
    expect([once, twice, older]).toStrictEqual([58, 0, EVENTS - 58]);
    expect(world.messages.size).toBe(9);
    expect(world.simulation.sent).toHaveLength(8 + 10);
    expect((await world.digests()).map(({ lines: count, newest }) => [count, newest.length])).toStrictEqual([
      [EVENTS - 8, 50],
    ]);
    expect(new Set(await world.history('tell-github'))).toStrictEqual(new Set(['fired']));
    expect((await world.command('/news')).split('\n').at(-1)).toBe(`${EVENTS - 58} older ones.`);
  });

  it('wait while all is stopped or their chat is muted, and a removed chat gets none', async () => {
    const world = openWorld();
    const by = 'telegram:7';
    await world.command('/chats mute 7 10:30-11:30');
    await world.tellJob('github');
    for (let n = 1; n <= 9; n += 1) await world.event('github', 'push', `push ${n}`);
    await setKillSwitch(dynamo.table, world.space, { isStopped: true, by, at: world.simulation.now() });
    await world.minutes(2);
    expect(accountOf(world, ['push 9']).once).toBe(0);
    await setKillSwitch(dynamo.table, world.space, { isStopped: false, by, at: world.simulation.now() });
    await world.minutes(1);
    expect(accountOf(world, ['push 9']).once).toBe(1);
    world.simulation.advance(START + 32 * MINUTE - world.simulation.now());
    // They come one by one as far as the hour has room in which the chat is muted no more.
    const kept = Array.from({ length: 8 }, (_, n) => `kept ${n + 1}`);
    for (const line of [...kept, 'push 10']) await world.event('github', 'push', line);
    await world.minutes(1);
    expect(accountOf(world, [...kept, 'push 10']).once).toBe(0);
    world.simulation.advance(START + 93 * MINUTE - world.simulation.now());
    await world.minutes(2);
    expect(accountOf(world, [...kept, 'push 10'])).toStrictEqual({ once: 9, twice: 0, older: 0 });
    expect(world.texts()).toContain('tell-github: 1 more while this chat was muted:\n– push 10');
    world.simulation.advance(START + 24 * 60 * MINUTE + 31 * MINUTE - world.simulation.now());
    for (let n = 21; n <= 29; n += 1) await world.event('github', 'push', `push ${n}`);
    await world.command('/chats mute 7 off');
    await world.minutes(1);
    expect(accountOf(world, ['push 21', 'push 29'])).toStrictEqual({ once: 2, twice: 0, older: 0 });
    const removal = { removedAt: world.simulation.now(), removedBy: `${world.space}/tg-1-1#0` };
    await dynamo.table.put(pairedChatKey(world.space, '7'), { schemaVersion: 1, pairedAt: 1, by: 'x', ...removal });
    for (let n = 11; n <= 20; n += 1) await world.event('github', 'push', `push ${n}`);
    expect((await world.digests()).map(({ lines }) => lines)).toStrictEqual([1, 1, 1]);
  });

  it('are forgotten in the digest with the note that they were made from', async () => {
    const world = openWorld({ answer: () => ({ content: 'The locker code is Q4711.' }) });
    const work = { kind: 'prompt', text: withContext('Say the code of the locker', 'memory') } as const;
    const note = /[0-9a-f]{32}/.exec(await world.command('/remember the locker code is Q4711'))?.[0];
    await world.tellJob('door', 'door', { work });
    for (let n = 1; n <= 9; n += 1) await world.event('door', 'opens', `door ${n}`);
    await world.minutes(1);
    expect(world.texts().at(-1)).toBe('door: 1 more this hour:\n– The locker code is Q4711.');
    await world.command(`/forget ${note}`);
    expect(await world.command('/news door')).toContain('door: (forgotten)');
    const stored = (await scanSpace(dynamo, world.space)).filter(({ pk }) => String(pk).includes('#news-'));
    expect(stored.length).toBeGreaterThan(0);
    expect(JSON.stringify(stored)).not.toContain('Q4711');
  });

  const wrongs: readonly (readonly [string, Wrong, readonly [number, number]])[] = [
    // The first digest is call 9, its first edit is call 10.
    ['takes nothing for a while', { chat: (n) => (n === 9 ? { state: 'retry', reason: 'away' } : undefined) }, [4, 0]],
    ['refuses the edit', { chat: (n) => (n === 10 ? { state: 'failed', reason: 'gone' } : undefined) }, [4, 0]],
    ['may have got the edit', { chat: (n) => (n === 10 ? { state: 'unknown', reason: 'lost' } : undefined) }, [4, 0]],
    ['may have got the digest', { chat: (n) => (n === 9 ? { state: 'unknown', reason: 'lost' } : undefined) }, [2, 0]],
  ];
  it.each(wrongs)('stand in the chat once if it %s', async (_name, wrong, [once, twice]) => {
    const world = openWorld({}, wrong);
    await world.tellJob('github');
    for (let n = 1; n <= 8; n += 1) await world.event('github', 'push', `push ${n}`);
    const lines = ['push 9', 'push 10', 'push 11', 'push 12'];
    await world.event('github', 'push', 'push 9');
    await world.event('github', 'push', 'push 10');
    await world.minutes(2);
    await world.event('github', 'push', 'push 11');
    await world.minutes(3);
    // No further line has to come for it.
    expect(accountOf(world, ['push 11']).once).toBe(1);
    await world.event('github', 'push', 'push 12');
    await world.minutes(2);
    expect(accountOf(world, lines)).toStrictEqual({ once, twice, older: 0 });
  });

  it('are told or in the digest once, wherever the process dies', async () => {
    const play = async (crashAt: number) => {
      const world = openWorld();
      await world.tellJob('github');
      for (let n = 1; n <= 8; n += 1) await world.event('github', 'push', `push ${n}`);
      world.simulation.crashAt(crashAt);
      const before = world.simulation.operations();
      await world.event('github', 'push', 'push 9');
      await world.minutes(1);
      await world.event('github', 'push', 'push 10');
      await world.minutes(1);
      const steps = world.simulation.operations() - before;
      world.simulation.crashAt(Number.POSITIVE_INFINITY);
      await world.minutes(6);
      return { world, steps };
    };
    const { steps } = await play(Number.POSITIVE_INFINITY);
    for (const step of sampleSteps('a line of a digest', 1, steps))
      await atStep(step, async () => {
        const { world } = await play(step);
        // A text that died in the sending is unknown, and a person is asked about it.
        const asked = world.texts().some((text) => text.includes('may not have arrived'));
        const { once, twice } = accountOf(world, ['push 9', 'push 10']);
        expect([twice, asked || once === 2]).toStrictEqual([0, true]);
        expect((await world.digests()).map(({ lines }) => lines)).toStrictEqual([2]);
        expect(new Set(await world.history('tell-github'))).toStrictEqual(new Set(['fired']));
      });
  });
});

describe('what a person waits for', () => {
  /** A job of that name has the share of the hour's texts. */
  const useUpShare = async (world: World) => {
    for (const source of ['github', 'oven']) {
      await world.tellJob(source);
      for (let n = 1; n <= 9; n += 1) await world.event(source, 'push', `${source} ${n}`);
    }
    expect(world.texts()).toHaveLength(12);
  };
  const deploy = async (world: World) => {
    const hash = (await findRunbook(dynamo.table, world.space, 'deploy-gate'))?.hash ?? '';
    const inputs = { service: '{{event.body.service}}', version: '{{event.body.version}}', hook: 'deployer' };
    const work = { kind: 'runbook', runbook: 'deploy-gate', hash, inputs } as const;
    await world.tellJob('ci', 'deploy', { work });
    await useUpShare(world);
    await world.event('ci', 'built', 'built', { service: 'shop', version: '1.2' });
    for (let minute = 0; minute < 12; minute += 1) {
      await world.approve();
      await world.minutes(1);
    }
  };

  it('is told at once: the end of a deployment that somebody approved', async () => {
    const world = openWorld();
    await deploy(world);
    expect(world.texts()).toContain('Version 1.2 of shop is deployed.');
    expect(await world.history('deploy')).toStrictEqual(['fired']);
  });

  it('is told at once: a deployment that failed, and was rolled back', async () => {
    const world = openWorld({}, { webhook: '{"status":"failed"}' });
    await deploy(world);
    expect(world.texts()).toContain('Version 1.2 of shop failed and was rolled back.');
  });

  it('is told at once: a run that somebody began, and a pause with its reason', async () => {
    const world = openWorld();
    await useUpShare(world);
    await world.tellJob('door', 'door', { work: { kind: 'steps', steps: [{ say: 'The door is open.' }] } });
    await world.command('/jobs run door');
    await world.simulation.drain();
    expect(world.texts()).toContain('The door is open.');
    const steps = [{ tool: 'call-webhook', args: { webhook: 'nobody', body: {} } }];
    await world.tellJob('pump', 'pump', { work: { kind: 'steps', steps } });
    for (let n = 1; n <= 6; n += 1) await world.event('pump', 'on', `pump ${n}`);
    await world.minutes(1);
    const pauses = world.texts().filter((text) => text.startsWith('The job pump was paused after 5 failures in a row'));
    expect(pauses).toStrictEqual([
      expect.stringMatching(/The last time: .+ shows more\.\nLet the job pump go on\?\n1\. Let it/),
    ]);
    const stateAfterTap = async (isApprover: boolean) => {
      await world.tap(pauses[0], isApprover);
      return (await loadJob(dynamo.table, world.space, 'pump'))?.state;
    };
    expect(await stateAfterTap(false)).toBe('paused');
    expect(await stateAfterTap(true)).toBe('active');
  });
});
