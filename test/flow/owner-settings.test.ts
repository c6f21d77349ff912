/**
 * `/identity` and `/skill` through the stages over the real table: who may, what is kept, what
 * prompts, gates and tiers make of it.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseDecision, parseEffect } from '../../lib/core/ledger/ledger.ts';
import { ownerSettingsKey } from '../../lib/core/ledger/owner-settings.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { stableShare } from '../core/prompt/stable-share.ts';
import { startDynamo } from '../support/dynamo.ts';
import { type Answer, buildSimulation, OPENAI, ownerMessage, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const SAID_AT = 1_790_000_000_000;
const STRANGER = { sender: { id: 'telegram:9', isApprover: false } };

let spaces = 0;
const world = (answer: (prompt: Prompt) => Answer = () => ({ content: 'Yes.' })) => {
  spaces += 1;
  const space = `owner-${spaces}`;
  const prompts: Prompt[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      prompts.push(prompt);
      return answer(prompt);
    },
    variables: OPENAI,
  });
  let n = 0;
  const accept = async (signal: Signal) => {
    await simulation.accept(signal);
    await simulation.drain();
    return simulation.sent.at(-1)?.text ?? '';
  };
  const command = (name: string, rest: string, change: Partial<Signal> = {}) => {
    n += 1;
    const payload = { sensor: 'command', name, rest } as const;
    return accept({ ...signalWith(space, `tg-1-${n}`, payload, '7', SAID_AT + n), ...change });
  };
  const message = (text: string) => {
    n += 1;
    return accept(ownerMessage(space, n, text, '7', SAID_AT + n));
  };
  const decision = async (id: string) => {
    const [item] = await dynamo.table.load([signalKeys.decision(space, id)], { isConsistent: true });
    if (item === undefined) throw new Error('no decision');
    return parseDecision(id, item);
  };
  const stored = async () => (await dynamo.table.query({ pk: ownerSettingsKey(space).pk, skPrefix: 'owner' })).items;
  return { space, simulation, prompts, command, message, decision, stored };
};

describe('/identity', () => {
  it('is changed by an approver, kept with who and when, and stands in the next prompt', async () => {
    const { command, message, prompts, stored, space } = world();
    expect(await command('identity', '')).toBe(
      [
        'My name: Test',
        'My owner: as the setting MEMEX_USER says, if any',
        'How I speak: the usual: briefly, in the language I am spoken to',
      ].join('\n'),
    );
    expect(await command('identity', 'name  Jeeves ')).toMatch(
      /^My name: Jeeves \(telegram:7, 2026-09-21 14:13 UTC\)\n/,
    );
    expect(await command('help', '')).toMatch(/^I am Jeeves\. /);
    await command('identity', 'owner Bertie Wooster');
    await command('identity', 'style Speak like a butler,\n\u{e0069}\ufe01and dryly.');
    await message('hello');
    expect(prompts[0]?.system).toContain(
      'You are Jeeves, the personal and operations agent of Bertie Wooster. Speak like a butler, and dryly.',
    );
    expect(await command('identity', 'reset style')).toContain('How I speak: the usual');
    const [, ...changes] = await stored();
    expect(changes).toStrictEqual(
      [
        ['identity.name', 'Jeeves', 2],
        ['identity.owner', 'Bertie Wooster', 4],
        ['identity.style', 'Speak like a butler, and dryly.', 5],
        ['identity.style', '', 7],
      ].map(([field, value, n], index) => ({
        pk: `setting#${space}`,
        sk: `owner#00000${index + 1}`,
        schemaVersion: 1,
        field,
        value,
        by: 'telegram:7',
        at: SAID_AT + Number(n),
        signal: `tg-1-${n}`,
      })),
    );
  });

  it.each([
    ['name', 'That command needs another form: /identity name <text…>'],
    ['reset', 'That command needs another form: /identity reset <field>'],
    ['colour blue', 'That command needs another form: /identity'],
    [`name ${'x'.repeat(61)}`, 'Nothing was changed: it is longer than 60 characters.'],
    [`style ${'x'.repeat(601)}`, 'Nothing was changed: it is longer than 600 characters.'],
    [`style use ghp_${'a1B2c3D4e5'.repeat(4).slice(0, 36)}`, 'Nothing was changed: it holds what looks like a secret.'],
  ])('refuses "%s"', async (rest, said) => {
    const { command, stored } = world();
    expect((await command('identity', rest)).startsWith(said)).toBe(true);
    expect(await stored()).toStrictEqual([]);
  });

  it('is refused to anybody else, keeps the last word, and changes nothing when it is repeated (I14)', async () => {
    const { command, stored, simulation } = world();
    expect(await command('identity', 'name Mallory', STRANGER)).toBe(
      'Only an approver can give the command /identity.',
    );
    expect(await command('skill', 'off notes', STRANGER)).toBe('Only an approver can give the command /skill.');
    expect(await stored()).toStrictEqual([]);
    await command('identity', 'name Late', { receivedAt: SAID_AT + 900 });
    expect(await command('identity', 'name Early', { receivedAt: SAID_AT + 800 })).toMatch(/^My name: Late /);
    simulation.loseQueues();
    await simulation.sweep(true);
    await simulation.drain();
    expect(await stored()).toHaveLength(2);
  });

  it('counts as never said where the record cannot be read, and no tool is offered then (I3)', async () => {
    const { command, message, prompts, space } = world();
    await command('identity', 'name Jeeves');
    await dynamo.table.put(ownerSettingsKey(space), { schemaVersion: 2, round: 7, fields: '{}' });
    expect(await message('hello')).toBe('Yes.');
    expect(prompts[0]?.system).toContain('You are Test,');
    expect(prompts[0]?.tools).toStrictEqual([]);
  });

  it('survives a crash after every operation, once', async () => {
    for (let k = 1; k <= 12; k += 1) {
      const { command, simulation, stored } = world();
      simulation.crashAt(k);
      await command('identity', 'name Jeeves');
      for (let n = 0; n < 4; n += 1) {
        simulation.advance(60 * 60_000);
        await simulation.sweep();
        await simulation.drain();
      }
      expect((await stored()).map(({ sk }) => sk)).toStrictEqual(['owner', 'owner#000001']);
    }
  });
});

const callOf = (name: string, args: object): Answer => ({
  toolCalls: [
    {
      id: 'c1',
      name,
      argumentsText: JSON.stringify({ ...args, explanation: 'The owner asked for exactly this just now.' }),
    },
  ],
});

describe('/skill', () => {
  it('lists what there is, and takes a skill that is off from the prompt: tools and mandates', async () => {
    const { command, message, prompts } = world();
    expect((await command('skill', 'list')).split('\n')[0]).toBe(
      'notes (on, tier auto): keeps what should outlast a conversation, and finds it again. Tools: remember, recall, list-memory, edit-memory, forget.',
    );
    await message('hello');
    expect(await command('skill', 'off notes')).toMatch(/^notes \(off, tier auto\): /);
    await message('hello again');
    const [before, after] = prompts;
    expect(before?.tools.map((tool) => tool.function.name)).toContain('remember');
    expect(before?.system).toContain('look for it with recall');
    expect(after?.tools.map((tool) => tool.function.name)).toStrictEqual([
      'current-time',
      'calculate',
      'run-code',
      'read-output',
      'schedule-job',
      'list-jobs',
      'run-runbook',
      'list-runbooks',
      'call-webhook',
      'delegate',
      'propose-plan',
      'fetch-url',
      'read-notes',
      'arrange-notes',
      'write-plan',
      'send-message',
      'send-file',
    ]);
    expect(after?.system).not.toContain('recall');
    expect(await command('skill', 'on notes')).toMatch(/^notes \(on, /);
    await message('and once more');
    expect(prompts[2]?.system).toBe(before?.system);
  });

  it.each([
    ['off cooking', 'Nothing was changed: there is no such skill; /skill list names them.'],
    ['tier notes best', 'Nothing was changed: tier must be '],
    ['off', 'That command needs another form: /skill off <name>'],
    ['off notes now', 'That command needs another form: '],
    ['eat notes', 'That command needs another form: '],
  ])('refuses "%s"', async (rest, said) => {
    const { command, stored } = world();
    expect((await command('skill', rest)).startsWith(said)).toBe(true);
    expect(await stored()).toStrictEqual([]);
  });

  it('blocks a tool of it that a model names all the same, and a person’s own command works', async () => {
    const { command, message, decision } = world((prompt) =>
      prompt.messages.some(({ content }) => content.includes('rejected'))
        ? { content: 'I cannot.' }
        : callOf('remember', { text: 'x is y' }),
    );
    await command('skill', 'off notes');
    expect(await message('keep that x is y')).toBe('I cannot.');
    const { attemptCount } = await decision('tg-1-2');
    expect(attemptCount).toBe(2);
    expect(await command('remember', 'x is y')).not.toContain('refused');
  });

  it('blocks at Act what was decided before it went off', async () => {
    const { command, message, simulation, space } = world(() =>
      callOf('run-code', { language: 'javascript', code: '1' }),
    );
    await message('run it');
    await command('skill', 'off programs');
    const approvals = await dynamo.table.queryIndex({
      index: 'unfinished',
      partition: `unfinished#${space}#approvals`,
      limit: 5,
    });
    const approvalId = String(approvals.items[0]?.pk).split('#')[2] ?? '';
    await simulation.accept(
      signalWith(space, 'tg-1-50', { sensor: 'approval-decision', approvalId, decision: 'approve' }, '7', SAID_AT + 50),
    );
    await simulation.drain();
    const [item] = await dynamo.table.load([signalKeys.effect(space, 'tg-1-1', 0)], { isConsistent: true });
    const effect = item === undefined ? undefined : parseEffect('tg-1-1', item);
    expect([effect?.state, effect?.reason]).toStrictEqual([
      'refused',
      'the tool run-code is denied by the permissions (the skill programs is off)',
    ]);
  });

  it('sets the tier of questions that mean it, and the stored reason says so', async () => {
    const { command, message, decision } = world();
    const tierOf = async (id: string) => {
      const { attempt } = await decision(id);
      return [attempt?.tier, attempt?.tierBecause];
    };
    await message('remember that I like tea');
    expect(await tierOf('tg-1-1')).toStrictEqual(['cognition', 'nothing asks for more']);
    await command('skill', 'tier notes reasoning');
    await message('remember that I like tea');
    expect(await tierOf('tg-1-3')).toStrictEqual(['reasoning', 'an approver set it for the skill notes']);
    await message('hello');
    expect(await tierOf('tg-1-4')).toStrictEqual(['cognition', 'nothing asks for more']);
  });
});

describe('a conversation’s prompts', () => {
  it('count a grant while it is in force', async () => {
    const { message, command, prompts, space, simulation } = world((prompt) =>
      prompt.messages.at(-1)?.content.startsWith('run') === true
        ? callOf('run-code', { language: 'javascript', code: '1' })
        : { content: 'Yes.' },
    );
    const grantsSaid = async () => {
      await message('hello');
      return /Grants in force: \d/.exec(prompts.at(-1)?.messages.at(-1)?.content ?? '')?.[0];
    };
    await message('run it');
    const partition = `unfinished#${space}#approvals`;
    const { items } = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(items[0]?.pk).split('#')[2] ?? '';
    await simulation.accept(
      signalWith(
        space,
        'tg-1-90',
        { sensor: 'approval-decision', approvalId, decision: 'allow-similar' },
        '7',
        SAID_AT + 90,
      ),
    );
    await simulation.drain();
    expect(await grantsSaid()).toBe('Grants in force: 1');
    const id = /^([0-9a-f]{12})/m.exec(await command('grants', ''))?.[1] ?? '';
    expect(await command('revoke', id)).toMatch(/is taken back/);
    expect(await grantsSaid()).toBe('Grants in force: 0');
  });

  it('say what budget is left and which grants are in force at their end, and share nine tenths from turn to turn', async () => {
    const { message, prompts } = world();
    for (let n = 0; n < 6; n += 1) await message(`message ${n}`);
    const last = prompts.at(-1)?.messages.at(-1)?.content ?? '';
    expect(last).toMatch(
      /Budget left: \$[\d.]+ of \$5\.00 today, \$[\d.]+ of \$3\.00 for this conversation\. Grants in force: 0\./,
    );
    expect(prompts[0]?.system).toMatch(
      /Window: 1050000 tokens\. A prompt takes at most 16000\. Gates active \(\d+, set [0-9a-f]{12}\): kill-switch/,
    );
    for (const [n, after] of prompts.slice(1).entries())
      expect(stableShare(prompts[n] ?? after, after)).toBeGreaterThan(0.9);
  });
});
