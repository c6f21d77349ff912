/**
 * Chats with mute hours: what nobody there asked for is kept back and sent in order after them,
 * wherever the process dies; whoever writes there is answered at once. Every door names, mutes and
 * removes a chat.
 */
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { WaitingError } from '../../lib/core/base/errors.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { pairedChatKey } from '../../lib/core/ledger/paired-chats.ts';
import { mutedUntil } from '../../lib/core/stages/act/guards/muted.ts';
import { findRunbook } from '../../lib/features/runbooks/find-runbook.ts';
import { runCli } from '../cli/cli-world.ts';
import { makeJob, sampleJob } from '../features/jobs/sample-job.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { findUnaccounted } from '../support/evidence.ts';
import { scanSpace } from '../support/scan.ts';
import { buildSimulation, Crash, ownerMessage, signalWith } from '../support/simulation.ts';
import { APPROVER_TOKEN, signalIdOf, startTestStack, type TestStack, until } from '../support/stack.ts';

const MINUTE = 60_000;
const at = (time: string) => Date.parse(`2026-11-${time}Z`);

describe('mutedUntil', () => {
  it.each([
    ['within', '22:00-07:00', 'UTC', '24T23:10:30', '25T07:00'],
    ['past midnight', '22:00-07:00', 'UTC', '25T06:59:59', '25T07:00'],
    ['from its first minute', '22:00-07:00', 'UTC', '24T22:00:00', '25T07:00'],
    ['not before', '22:00-07:00', 'UTC', '24T21:59:59', undefined],
    ['and two minutes behind', '22:00-07:00', 'UTC', '25T07:01:59', '25T07:00'],
    ['but not longer', '22:00-07:00', 'UTC', '25T07:02:00', undefined],
    ['by day', '12:00-13:30', 'UTC', '25T12:30', '25T13:30'],
    ['on the clock of its owner', '22:00-07:00', 'Europe/Berlin', '24T21:30', '25T06:00'],
    ['never', '', 'UTC', '24T23:00', undefined],
  ])('%s', (_name, hours, zone, now, end) => {
    expect(mutedUntil(hours, zone, at(now))).toBe(end === undefined ? undefined : at(end));
  });
});

const TELL_CODE = JSON.stringify({ to: 'mum', text: 'the code is 4711', explanation: 'the owner asked to tell it' });

describe('a muted chat', () => {
  let dynamo: TestDynamo;
  beforeAll(async () => {
    dynamo = await startDynamo();
  });
  afterAll(() => dynamo?.stop());

  /** Items of the texts that are kept back. */
  const kept = async (space: string) =>
    (await scanSpace(dynamo, space)).filter(({ pk }) => String(pk).includes('#kept-'));

  let spaces = 0;
  const openNight = async () => {
    spaces += 1;
    const space = `muted-${spaces}`;
    const simulation = buildSimulation({
      table: dynamo.table,
      space,
      startAt: at('24T21:50'),
      answer: (prompt) =>
        JSON.stringify(prompt).includes('tell mum the code') && !JSON.stringify(prompt).includes('waiting for a person')
          ? { toolCalls: [{ id: 'c1', name: 'send-message', argumentsText: TELL_CODE }] }
          : { content: 'Good night.' },
    });
    let n = 0;
    const accept = async (line: string) => {
      const [name = '', ...rest] = line.slice(1).split(' ');
      n += 1;
      const payload = { sensor: 'command', name, rest: rest.join(' ') } as const;
      await simulation.accept(signalWith(space, `tg-1-${n}`, payload, '7', simulation.now()));
    };
    const command = async (line: string) => {
      const before = simulation.sent.length;
      await accept(line);
      await simulation.drain();
      return simulation.sent
        .slice(before)
        .map(({ text }) => text)
        .join('\n');
    };
    const write = async (chat: string, text: string) => {
      n += 1;
      await simulation.accept(ownerMessage(space, n, text, chat, simulation.now()));
      await simulation.drain();
    };
    const goTo = (time: string) => simulation.advance(at(time) - simulation.now());
    /** One minute's sweep. Where it dies, the next minute goes on. */
    let died = 0;
    const sweepAll = async () => {
      for (let minutes = 0; minutes < 5; minutes += 1) {
        try {
          await simulation.sweep();
          await simulation.drain();
        } catch (error) {
          if (!(error instanceof Crash)) throw error;
          died += 1;
        }
        simulation.advance(2 * MINUTE);
      }
    };
    const told = () => simulation.sent.filter(({ to }) => to === '8').map(({ text }) => text);
    await command('/chats name 8 mum');
    await command('/chats mute mum 22:00-07:00');
    goTo('24T22:30');
    const crashes = () => simulation.crashes.length + died;
    return { space, simulation, accept, command, write, goTo, sweepAll, told, crashes };
  };

  it('is told an event by a job after its hours, and not before', async () => {
    const { space, goTo, sweepAll, told, simulation } = await openNight();
    const hash = (await findRunbook(dynamo.table, space, 'tell'))?.hash ?? '';
    const work = { kind: 'runbook', runbook: 'tell', hash, inputs: { text: '{{event.text}}' } } as const;
    const to = [{ target: 'telegram' as const, to: '8' }];
    const when = { kind: 'event', source: 'oven' } as const;
    await makeJob(dynamo.table, space, sampleJob({ when, work, to, promises: 'nothing' }), simulation.now());
    const text = [{ text: 'the oven is on', origin: 'outside' as const }];
    const payload = { sensor: 'webhook', source: 'oven', event: 'on', body: {}, text } as const;
    const hook = signalWith(space, 'wh-oven:1', payload, '7', simulation.now());
    const sender = { id: 'webhook:oven', isApprover: false };
    await simulation.accept({ ...hook, source: 'webhook', session: 'webhook:oven', sender });
    await simulation.drain();
    await sweepAll();
    expect(told()).toStrictEqual([]);
    goTo('25T07:00');
    await sweepAll();
    expect(told()).toStrictEqual(['the oven is on']);
    expect(simulation.modelCalls()).toBe(0);
  });

  it('gets what was sent to it by name after its hours, in order, and once', async () => {
    const { space, command, write, goTo, sweepAll, told, simulation } = await openNight();
    expect(await command('/send mum one')).toContain('Kept back until 2026-11-25 07:00 UTC: the chat is muted');
    simulation.advance(MINUTE);
    // A webhook whose answers go there: the model's own words, made from a stranger's.
    const text = [{ text: 'the oven is on', origin: 'outside' }] as const;
    const payload = { sensor: 'webhook', source: 'oven', event: 'on', body: {}, text: [...text] } as const;
    const hook = signalWith(space, 'wh-oven:1', payload as never, '8', simulation.now());
    const sender = { id: 'webhook:oven', isApprover: false };
    await simulation.accept({ ...hook, source: 'webhook', session: 'webhook:oven', sender });
    await simulation.drain();
    simulation.advance(MINUTE);
    await command('/send mum **two** /forget all');
    await write('8', 'are you there?');
    expect(told()).toStrictEqual(['Good night.']);
    await sweepAll();
    expect(told()).toStrictEqual(['Good night.']);
    // A local start takes up all that is unfinished, due or not.
    simulation.loseQueues();
    await simulation.sweep(true);
    const waits: string[] = [];
    for (let message = simulation.queue.shift(); message !== undefined; message = simulation.queue.shift())
      await simulation.deliver(message).catch((error: unknown) => {
        if (!(error instanceof WaitingError)) throw error;
        waits.push(error.message);
      });
    expect(waits).toHaveLength(3);
    expect(told()).toStrictEqual(['Good night.']);
    goTo('25T07:00');
    expect(await command('/send mum three')).toContain('Kept back until 2026-11-25 07:00');
    expect(told()).toStrictEqual(['Good night.']);
    await sweepAll();
    expect(told()).toStrictEqual(['Good night.', 'one', 'Good night.', '**two** /forget all', 'three']);
    expect(await command('/send mum four')).toBe('four\nSent.');
    expect(told()).toHaveLength(6);
  });

  it('gets nothing that was made from a note which is forgotten meanwhile', async () => {
    const { space, command, write, goTo, sweepAll, told, simulation } = await openNight();
    const note = /[0-9a-f]{32}/.exec(await command('/remember the locker code is 4711'))?.[0];
    await write('7', 'tell mum the code of the locker');
    const partition = `unfinished#${space}#approvals`;
    const pending = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(pending.items[0]?.pk).split('#').at(-1) ?? '';
    const yes = { sensor: 'approval-decision', approvalId, decision: 'approve' } as const;
    await simulation.accept(signalWith(space, 'tg-1-900', yes, '7', simulation.now()));
    await simulation.drain();
    expect(told()).toStrictEqual([]);
    simulation.advance(MINUTE);
    const before = await kept(space);
    expect(JSON.stringify(before)).toContain('the code is 4711');
    await command(`/forget ${note}`);
    goTo('25T07:00');
    await sweepAll();
    expect(told().filter((text) => text.includes('4711'))).toStrictEqual([]);
    expect(JSON.stringify(await kept(space))).not.toContain('4711');
  });

  it('gets fifty texts one by one, and the rest in one message', async () => {
    const { command, goTo, sweepAll, told, simulation } = await openNight();
    for (let n = 1; n <= 50; n += 1) {
      await command(`/send mum ${n}`);
      simulation.advance(1);
    }
    expect(await command('/send mum 51')).toContain('In the digest of');
    expect(await command('/send mum 52')).toContain('In the digest of');
    await simulation.tickJobs();
    await sweepAll();
    expect(told()).toStrictEqual([]);
    goTo('25T07:00');
    await simulation.tickJobs();
    await sweepAll();
    const fifty = Array.from({ length: 50 }, (_, n) => `${n + 1}`);
    expect(told().toSorted()).toStrictEqual(
      [...fifty, 'Texts: 2 more while this chat was muted:\n– 51\n– 52'].toSorted(),
    );
  });

  it('gets nothing that was kept back before a stop', async () => {
    const { space, command, goTo, sweepAll, told, simulation } = await openNight();
    await command('/send mum one');
    const by = 'telegram:7';
    await setKillSwitch(dynamo.table, space, { isStopped: true, by, at: simulation.now() });
    await setKillSwitch(dynamo.table, space, { isStopped: false, by, at: simulation.now() + 1 });
    goTo('25T07:00');
    await sweepAll();
    expect(told().filter((text) => text === 'one')).toStrictEqual([]);
  });

  it('gets all that was kept back, in order, once it is muted no more', async () => {
    const { command, goTo, sweepAll, told, simulation } = await openNight();
    await command('/send mum one');
    simulation.advance(MINUTE);
    await command('/chats mute 9 22:00-07:00');
    await command('/chats name 9 dad');
    await command('/send dad,mum two');
    expect(await command('/chats mute mum off')).toContain('What was kept back comes now.');
    expect(told()).toStrictEqual(['one', 'two']);
    await command('/send mum three');
    goTo('25T07:00');
    await sweepAll();
    expect(told()).toStrictEqual(['one', 'two', 'three']);
    expect(simulation.sent.filter(({ to }) => to === '9').map(({ text }) => text)).toStrictEqual(['two']);
  });

  it('gets its text once, wherever the process dies while it is kept back', async () => {
    for (let k = 1; k < 60; k += 1) {
      const { accept, goTo, sweepAll, told, simulation } = await openNight();
      simulation.crashAt(k);
      await accept('/send mum one');
      await simulation.drain();
      const hasCrashed = simulation.crashes.length > 0;
      simulation.crashAt(Number.POSITIVE_INFINITY);
      expect([k, told()]).toStrictEqual([k, []]);
      goTo('25T07:00');
      await sweepAll();
      expect([k, told()]).toStrictEqual([k, ['one']]);
      if (!hasCrashed) return;
    }
    throw new Error('every operation crashed');
  });

  it('gets its text at most once, and a question if that is not known, wherever it dies while it is sent', async () => {
    for (let k = 1; k < 60; k += 1) {
      const { command, goTo, sweepAll, told, simulation, crashes } = await openNight();
      await command('/send mum one');
      goTo('25T07:00');
      simulation.crashAt(k);
      await sweepAll();
      const arrived = told().filter((text) => text === 'one').length;
      const asked = simulation.sent.filter(({ text }) => text.includes('may not have arrived')).length;
      expect([k, arrived, arrived + asked > 0]).toStrictEqual([k, Math.min(arrived, 1), true]);
      if (crashes() === 0) return;
    }
    throw new Error('every operation crashed');
  });
});

describe('every door', () => {
  const [OWNER, MUM] = [7_301, 7_302];
  let world: TestStack;
  beforeAll(async () => {
    world = await startTestStack({ allowedChats: [OWNER], approvers: [OWNER] });
    await world.table.put(pairedChatKey('default', String(MUM)), { schemaVersion: 1, pairedAt: 1, by: 'x' });
    world.telegram.openChat(MUM);
  });
  afterAll(() => world?.stop());

  const command = async (text: string) =>
    (await world.settled(signalIdOf(world.telegram.sendText(OWNER, OWNER, text)))).replies.join('\n');
  const cli = async (...words: readonly string[]) => {
    const { code, out, err } = await runCli(words, world.dataDir, { env: { APPROVER_TOKEN } });
    return `${code}: ${out}${err}`;
  };
  const textsTo = (chat: number) => world.telegram.sent(chat).map(({ text = '' }) => text);
  const clock = (ms: number) => new Date(ms).toISOString().slice(11, 16);

  it('names, renames and mutes a chat, and sends what was kept back once it is muted no more', async () => {
    expect(await cli('chats', 'name', `${MUM}`, 'mom')).toContain(`The chat ${MUM} is named mom.`);
    expect(await command('/chats name mom mum')).toContain(`The chat ${MUM} is named mum.`);
    expect(await command('/send mom hello')).toContain('there is no place of this name; those are console, mum');
    const now = Date.now();
    const hours = `${clock(now - 2 * MINUTE)}-${clock(now + 60 * MINUTE)}`;
    expect(await cli('chats', 'mute', 'mum', hours)).toContain(`The chat mum is muted ${hours} (UTC)`);
    expect(await command('/chats')).toContain(
      `${MUM}, named mum: a private chat, paired on 1970-01-01 00:00 UTC, muted ${hours}`,
    );
    expect(await command('/send mum hello')).toContain('Kept back until');
    expect((await world.api<{ status: string }>('GET', '/health')).body.status).not.toBe('down');
    await world.tick();
    expect(textsTo(MUM)).toStrictEqual([]);
    const off = await world.api<{ id: string }>('POST', '/api/chats/mute', { chat: 'mum', hours: 'off' });
    expect((await world.settled(off.body.id)).replies.join()).toContain('is muted no more');
    await until('it comes now', async () => {
      await world.tick();
      return textsTo(MUM).length > 0;
    });
    expect(textsTo(MUM)).toStrictEqual(['hello']);
    expect(await command('/send mum again')).toContain('Sent.');
    const file = join(world.dataDir, 'evidence.jsonl');
    expect(await cli('evidence', 'export', '--out', file)).toMatch(/^0: /);
    const key = (await runCli(['evidence', 'key'], world.dataDir, { env: { APPROVER_TOKEN } })).out.trim();
    expect(await cli('verify', file, '--key', key)).toContain('verified');
    expect(await findUnaccounted(world)).toStrictEqual([]);
  });

  it('says what hours must be, and which chats there are', async () => {
    expect(await command('/chats mute mum 7-9')).toContain('hours such as 22:00-07:00');
    expect(await command('/chats mute mum 07:00-07:00')).toContain('hours such as 22:00-07:00');
    expect(await command('/chats mute dad off')).toContain('no chat is named dad; /chats lists them');
  });

  it('removes a chat by its name', async () => {
    expect(await cli('chats', 'remove', 'mum')).toContain(`The chat ${MUM} is removed`);
    expect(await command('/chats')).toContain('No chat is paired.');
  });
});
