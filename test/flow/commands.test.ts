/**
 * Commands that change something, through the three stages over the real table: one action, decided
 * with its trace, performed once, answered without a model; refused where its sender may not give
 * it.
 */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMANDS } from '../../lib/core/ledger/command-rights.ts';
import { setKillSwitch } from '../../lib/core/ledger/kill-switch.ts';
import { parseDecision } from '../../lib/core/ledger/ledger.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import type { Signal } from '../../lib/core/signal/signal.ts';
import { signalKeys } from '../../lib/core/store/keys.ts';
import { startDynamo, type TestDynamo } from '../support/dynamo.ts';
import { buildSimulation, signalWith } from '../support/simulation.ts';

let dynamo: TestDynamo;
beforeAll(async () => {
  dynamo = await startDynamo();
});
afterAll(() => dynamo?.stop());

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `commands-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => {
      throw new Error('no model is asked');
    },
  });
  let n = 0;
  const say = async (name: string, rest: string, change: Partial<Signal> = {}) => {
    n += 1;
    const id = `tg-1-${n}`;
    await simulation.accept({ ...signalWith(space, id, { sensor: 'command', name, rest }), ...change });
    await simulation.drain();
    return id;
  };
  const decisionOf = async (id: string) => {
    const [item] = await dynamo.table.load([signalKeys.decision(space, id)], { isConsistent: true });
    return item === undefined ? undefined : parseDecision(id, item);
  };
  const memory = buildMemory(dynamo.table, space);
  const said = () => simulation.sent.map(({ text }) => text);
  return { space, simulation, say, decisionOf, memory, said };
};

const STRANGER = { sender: { id: 'telegram:9', isApprover: false } };
const idIn = (text: string | undefined) => /[0-9a-f]{32}/.exec(text ?? '')?.[0] ?? '';

describe('a command that changes something', () => {
  it('is one action of its owner, with a whole trace, done once and answered without a model', async () => {
    const { say, decisionOf, memory, said, simulation } = world();
    const id = await say('remember', 'milk and bread');
    const decision = await decisionOf(id);
    expect(decision?.actions.map(({ action, outcome }) => ({ ...action, outcome }))).toStrictEqual([
      {
        target: 'tool',
        tool: 'remember',
        args: { text: 'milk and bread' },
        explanation: 'asked for with the command /remember',
        author: 'owner',
        outcome: 'pass',
      },
    ]);
    expect(simulation.modelCalls()).toBe(0);
    const [object] = (await memory.list({ limit: 5 })).objects;
    expect(object).toMatchObject({ content: 'milk and bread', origin: 'owner' });
    expect((await memory.commitsAfter(0, 5)).map(({ actor, kind }) => ({ actor, kind }))).toStrictEqual([
      { actor: 'telegram:7', kind: 'write' },
    ]);
    expect(said()).toStrictEqual([`Remembered as ${object?.id}.`]);
  });

  it('keeps what somebody else typed as outside', async () => {
    const { say, memory } = world();
    await say('remember', 'the owner said yes', STRANGER);
    expect((await memory.list({ limit: 5 })).objects[0]).toMatchObject({ origin: 'outside' });
  });

  it('is its own permission from an approver, and refused from anybody else', async () => {
    const { say, memory, said } = world();
    await say('remember', 'first');
    await say('remember', 'second');
    const [first, second] = said().map(idIn);
    await say('forget', first ?? '');
    expect(await memory.load(first ?? '')).toMatchObject({ state: 'forgotten' });
    await say('forget', second ?? '', STRANGER);
    expect(await memory.load(second ?? '')).toMatchObject({ state: 'live' });
    expect(said().at(-1)).toBe('Only an approver can give the command /forget.');
  });

  it('is refused while the space is stopped, and stays refused', async () => {
    const { say, space, memory, said } = world();
    await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'test', at: 1 });
    await say('remember', 'not now');
    await setKillSwitch(dynamo.table, space, { isStopped: false, by: 'test', at: 2_000_000_000_000 });
    expect((await memory.list({ limit: 5 })).objects).toStrictEqual([]);
    expect(said()).toStrictEqual([
      expect.stringMatching(/^This was refused: Keep the note “.*”\. Why: the space is stopped/),
    ]);
  });

  it.each([
    ['snapshot', 'x'.repeat(65), '/snapshot [name]'],
    ['remember', '', '/remember <what to keep>'],
    ['forget', 'the milk', '/forget <id>'],
    ['runbook', 'run', '/runbook run <name>'],
    ['runbook', 'stop', '/runbook stop <run>'],
    ['runbook', 'show', '/runbook show <name>'],
  ])('says how it is used: /%s %s', async (name, rest, usage) => {
    const { say, said } = world();
    await say(name, rest);
    expect(said()[0]).toContain(usage);
  });
});

/** Least standing each command needs with words behind it, and alone. */
const NEEDED: Readonly<Record<string, readonly [string, string]>> = {
  help: ['anyone', 'anyone'],
  start: ['anyone', 'anyone'],
  pair: ['anyone', 'anyone'],
  status: ['owner', 'owner'],
  doctor: ['owner', 'owner'],
  budget: ['owner', 'owner'],
  cost: ['owner', 'owner'],
  why: ['owner', 'owner'],
  remember: ['anyone', 'anyone'],
  recall: ['owner', 'owner'],
  memory: ['owner', 'owner'],
  snapshots: ['owner', 'owner'],
  diff: ['owner', 'owner'],
  audit: ['owner', 'owner'],
  focus: ['owner', 'owner'],
  edit: ['owner', 'owner'],
  project: ['owner', 'owner'],
  scope: ['owner', 'owner'],
  snapshot: ['owner', 'owner'],
  forget: ['approver', 'approver'],
  rollback: ['approver', 'approver'],
  revert: ['approver', 'approver'],
  model: ['approver', 'owner'],
  identity: ['owner', 'owner'],
  skill: ['owner', 'owner'],
  resume: ['approver', 'approver'],
  ingest: ['approver', 'approver'],
};
const STANDINGS = ['anyone', 'owner', 'approver'];
const SENDERS: Readonly<Record<string, Partial<Signal>>> = {
  anyone: STRANGER,
  owner: { source: 'console', sender: { id: 'script:nightly', isApprover: false } },
  approver: {},
};

describe('who may give a command', () => {
  it('is said in one table for every command there is', () => {
    expect(Object.keys(COMMANDS).filter((name) => !Object.hasOwn(NEEDED, name))).toStrictEqual([]);
  });

  it('is the same at Perceive, whatever door the command came through', async () => {
    const { say, said } = world();
    const wrong: string[] = [];
    for (const [name, needs] of Object.entries(NEEDED))
      for (const [index, rest] of ['x', ''].entries())
        for (const [standing, sender] of Object.entries(SENDERS)) {
          await say(name, rest, sender);
          const isRefused = said().at(-1)?.startsWith('Only an approver can') === true;
          const isExpected = STANDINGS.indexOf(standing) < STANDINGS.indexOf(needs[index] ?? '');
          if (isRefused !== isExpected) wrong.push(`/${name} ${rest} by ${standing}: ${said().at(-1)}`);
        }
    expect(wrong).toStrictEqual([]);
  });

  it.each(['constructor', 'toString', '__proto__', 'nothing'])('knows no command %s', async (name) => {
    const { say, said } = world();
    await say(name, 'x');
    expect(said()[0]).toBe(`I do not know the command /${name}. /help lists those I know.`);
  });

  it.each([
    ['stauts', 'status'],
    ['stopp', 'stop'],
    ['mute', 'chats mute'],
    ['history', 'jobs history'],
  ])('says what /%s probably meant', async (name, meant) => {
    const { say, said } = world();
    await say(name, '');
    expect(said()[0]).toBe(`I do not know the command /${name}: did you mean /${meant}? /help lists those I know.`);
  });

  it('guesses nothing of a verb that several commands have', async () => {
    const { say, said } = world();
    await say('run', '');
    expect(said()[0]).toBe('I do not know the command /run. /help lists those I know.');
  });

  it('answers /help with a question from the manual, for the owner alone', async () => {
    const { say, said } = world();
    await say('help', 'how do I pair a machine?');
    expect(said()[0]).toMatch(/^The manual says:\n\nPair a machine, .*npx passepartout runners pair <name> – /s);
    await say('help', 'jobs that run at night');
    expect(said().at(-1)).toMatch(/^The manual says:\n\n.*\/jobs list – /s);
    await say('help', 'how do I pair a machine?', STRANGER);
    expect(said().at(-1)).toBe('I do not know the command /how. /help lists those I know.');
    await say('help', 'stauts');
    expect(said().at(-1)).toMatch(/did you mean \/status\?/);
    await say('help', 'jobs pause');
    expect(said().at(-1)).toMatch(/^what runs by itself, and when/);
  });

  it('says which values a setting of a chat takes', async () => {
    const { say, said } = world();
    await say('voice', '');
    await say('chats', 'mute 7');
    expect(said()).toStrictEqual([
      'That command needs another form: /voice <on | off> [chat]',
      'That command needs another form: /chats mute <chat> <22:00-07:00 | off>',
    ]);
  });
});

describe('/help', () => {
  const lines = async (sender: Partial<Signal>): Promise<readonly string[]> => {
    const { say, said } = world();
    await say('help', '', sender);
    return (said()[0] ?? '').split('\n').filter((line) => /^(?:\/|Also: )/.test(line));
  };
  const about = async (rest: string, sender: Partial<Signal> = {}): Promise<string> => {
    const { say, said } = world();
    await say('help', rest, sender);
    return said()[0] ?? '';
  };

  it('shows a member what a member may do', async () => {
    const names = (await lines(STRANGER)).map((line) => line.split(/[ ,]/)[0]);
    expect(names).toStrictEqual(['/stop', '/help', '/remember']);
  });

  it('shows an approver what most days need on one screen, and the names of the others', async () => {
    const all = await lines({});
    const shown = all.join('\n');
    expect(Object.keys(COMMANDS).filter((name) => !shown.includes(`/${name}`))).toStrictEqual(['start', 'pair']);
    expect(all.length).toBeLessThan(20);
    expect(all).toContain('/recall <words…> – find notes by their words');
    expect(all).toContain('/jobs … – what runs by itself, and when: make, see, change, run');
    expect(all.at(-1)).toMatch(/^Also: audit, .*, runbook, .*, voice$/);
  });

  it('tells of one command every form that its giver may use', async () => {
    const jobs = await about('jobs');
    expect(jobs).toMatch(
      /^what runs by itself, and when: make, see, change, run\n\n\/jobs list – every job, and when it is next due\n/,
    );
    expect(jobs).toMatch(/^\/jobs add <name> at <now .* – make a job: when it runs, and what it does$/m);
    expect(await about('/JOBS please')).toBe(jobs);
    expect(await about('jbos')).toBe('I do not know the command /jbos: did you mean /jobs? /help lists those I know.');
    expect(await about('jobs', STRANGER)).toBe('I do not know the command /jobs. /help lists those I know.');
  });

  it('shows a script that speaks as the owner nothing that it may not give', async () => {
    const shown = (await lines(SENDERS.owner ?? {})).join('\n');
    expect(shown).toMatch(/^Also: .*\bedit\b/m);
    expect(shown).not.toContain('forget');
  });
});

describe('/revert', () => {
  it('names the commit that was typed', async () => {
    const { say, said, memory } = world();
    await say('remember', 'milk');
    const { number } = await memory.head();
    await say('revert', String(number));
    expect(said().at(-1)).toBe(`What commit ${number} changed in memory is taken back.`);
  });
});

describe('/resume', () => {
  it('says so if nothing was stopped', async () => {
    const { simulation, space, said } = world();
    const send = async (n: number) => {
      await simulation.accept(signalWith(space, `tg-1-${n}`, { sensor: 'resume' }, '7', 1_790_000_000_000 + n));
      await simulation.drain();
      return said().at(-1);
    };
    expect(await send(1)).toBe('Nothing was stopped.');
    await setKillSwitch(dynamo.table, space, { isStopped: true, by: 'test', at: 1_790_000_000_001 });
    expect(await send(2)).toBe('Running again.');
    expect(await send(3)).toBe('Nothing was stopped.');
  });
});
