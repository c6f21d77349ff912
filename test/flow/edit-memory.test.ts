/**
 * Notes changed by hand and by the model, projects and scopes, through the three stages over the
 * real table.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseHead } from '../../lib/core/ledger/session.ts';
import { buildMemory } from '../../lib/core/memory/memory.ts';
import type { Prompt } from '../../lib/core/prompt/build-prompt.ts';
import type { Payload, Signal } from '../../lib/core/signal/signal.ts';
import { sessionKey } from '../../lib/core/store/keys.ts';
import { editMemory } from '../../lib/core/tools/edit-memory.ts';
import { startDynamo } from '../support/dynamo.ts';
import { NO_RECORDS } from '../support/no-records.ts';
import { atStep, sampleSteps } from '../support/sample.ts';
import { type Answer, buildSimulation, signalWith } from '../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

let spaces = 0;
const OTHER = { session: 'telegram:8', reply: { target: 'telegram' as const, to: '8' } };
const STRANGER = { sender: { id: 'telegram:9', isApprover: false } };

const world = (answer: (prompt: Prompt) => Answer = () => ({ content: 'no' })) => {
  spaces += 1;
  const space = `edit-memory-${spaces}`;
  const prompts: string[] = [];
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: (prompt) => {
      prompts.push(JSON.stringify(prompt));
      return answer(prompt);
    },
  });
  let n = 0;
  const send = async (payload: Payload, change: Partial<Signal> = {}) => {
    n += 1;
    const before = simulation.sent.length;
    await simulation.accept({ ...signalWith(space, `tg-1-${n}`, payload, '7', 1_790_000_000_000 + n), ...change });
    await simulation.drain();
    return simulation.sent
      .slice(before)
      .map(({ text }) => text)
      .join('\n');
  };
  const say = (line: string, change: Partial<Signal> = {}) => {
    const [, name = '', rest = ''] = /^\/(\S+)\s*([\s\S]*)$/.exec(line) ?? [];
    return send({ sensor: 'command', name, rest }, change);
  };
  const ask = (text: string, change: Partial<Signal> = {}) =>
    send({ sensor: 'chat-message', text: [{ text, origin: 'owner' }] }, change);
  const decide = async (decision: 'approve' | 'deny') => {
    const partition = `unfinished#${space}#approvals`;
    const pending = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(pending.items[0]?.pk).split('#').at(-1) ?? '';
    return send({ sensor: 'approval-decision', approvalId, decision });
  };
  const head = async () => {
    const [item] = await dynamo.table.load([sessionKey(space, 'telegram:7')], { isConsistent: true });
    return parseHead('telegram:7', item ?? {});
  };
  return { space, simulation, say, ask, decide, head, prompts, memory: buildMemory(dynamo.table, space) };
};

const idIn = (text: string) => /[0-9a-f]{32}/.exec(text)?.[0] ?? '';

describe('/remember with tags, and /edit', () => {
  it('change one note in one commit, and answer with the difference', async () => {
    const { say, memory } = world();
    const id = idIn(await say('/remember buy milk #home #todo'));
    expect(await memory.load(id)).toMatchObject({ content: 'buy milk', attributes: { tags: ['home', 'todo'] } });
    const { number } = await memory.head();
    const said = await say(`/edit ${id.slice(0, 8)} title Milk\ntags +#dairy -#todo\nstate TODO\ntext buy oat milk`);
    expect(said).toBe(
      [
        `Changed: ${id.slice(0, 8)}  buy milk`,
        'title: (none) → Milk',
        'state: (none) → TODO',
        'tags: #home #todo → #home #dairy',
        'text:',
        '- buy milk',
        '+ buy oat milk',
      ].join('\n'),
    );
    expect((await memory.head()).number).toBe(number + 1);
    expect(await memory.load(id)).toMatchObject({
      version: 2,
      origin: 'owner',
      content: 'buy oat milk',
      attributes: { title: 'Milk', todo: 'TODO', tags: ['home', 'dairy'] },
    });
    expect(await say(`/edit ${id.slice(0, 8)} title Milk`)).toBe('Nothing changed: the note says so already.');
  });

  it('move a note, and refuse what would make a circle', async () => {
    const { say, memory } = world();
    const [a, b] = [idIn(await say('/remember above')), idIn(await say('/remember below'))];
    expect(await say(`/edit ${b.slice(0, 8)} parent ${a.slice(0, 8)}`)).toContain('now below: above');
    expect(await memory.load(b)).toMatchObject({ parentId: a, version: 1 });
    expect(await say(`/edit ${a.slice(0, 8)} parent ${b.slice(0, 8)}`)).toContain('would hang below itself: move');
    expect(await say(`/edit ${b.slice(0, 8)} colour red`)).toContain('That command needs another form: /edit');
    expect(await say(`/edit ${b.slice(0, 8)} title x`, STRANGER)).toBe('Only an approver can give the command /edit.');
  });

  it('happen once, wherever the process dies', async () => {
    const play = async (k: number) => {
      const { simulation, say, memory } = world();
      const [a, id] = [idIn(await say('/remember above')), idIn(await say('/remember below'))];
      const before = simulation.operations();
      simulation.crashAt(k);
      await say(`/edit ${id} title Below\nparent ${a}`);
      const steps = simulation.operations() - before;
      for (let round = 0; round < 2; round += 1) {
        simulation.advance(6 * 60_000);
        await simulation.sweep();
        await simulation.drain();
      }
      expect(await memory.load(id)).toMatchObject({ version: 2, parentId: a, attributes: { title: 'Below' } });
      expect((await memory.head()).number).toBe(3);
      // A crash while it is sent leaves the answer in doubt, and never sends it twice.
      const answers = simulation.sent.filter(({ text }) => text.startsWith('Changed: '));
      expect(answers.length).toBeLessThanOrEqual(1);
      return steps;
    };
    const steps = await play(Number.POSITIVE_INFINITY);
    for (const k of sampleSteps('edit-memory', 1, steps)) await atStep(k, () => play(k));
  });

  it('say what is wrong with tags', async () => {
    const { say } = world();
    expect(await say('/remember #home')).toContain('/remember <what to keep>');
    const many = Array.from({ length: 17 }, (_, n) => `#tag${n}`).join(' ');
    expect(await say(`/remember x ${many}`)).toContain('there are 17 tags, and a note has at most 16');
  });
});

/** Proposes the change once; whatever comes back, it says that it is done. */
const editBy = (args: () => object) => {
  let calls = 0;
  return (): Answer => {
    calls += 1;
    if (calls > 1) return { content: 'That is all.' };
    const argumentsText = JSON.stringify({ ...args(), explanation: 'the owner asked for this change of the note' });
    return { toolCalls: [{ id: 'c1', name: 'edit-memory', argumentsText }] };
  };
};

describe('edit-memory of the model', () => {
  it('asks with the difference on the card, and does exactly that after a yes', async () => {
    let id = '';
    const { say, ask, decide, memory } = world(editBy(() => ({ id, state: 'DONE', text: 'milk is bought' })));
    id = idIn(await say('/remember buy milk'));
    const card = await ask('the milk is bought');
    expect(card).toContain(
      `Note: ${id.slice(0, 8)}  buy milk\nstate: (none) → DONE\ntext:\n- buy milk\n+ milk is bought`,
    );
    expect(await memory.load(id)).toMatchObject({ version: 1 });
    await decide('approve');
    expect(await memory.load(id)).toMatchObject({
      version: 2,
      content: 'milk is bought',
      attributes: { todo: 'DONE' },
    });
  });

  it('is refused if the note changed after the card', async () => {
    let id = '';
    const { say, ask, decide, memory } = world(editBy(() => ({ id, state: 'DONE' })));
    id = idIn(await say('/remember buy milk'));
    await ask('the milk is bought');
    await say(`/edit ${id.slice(0, 8)} text buy oat milk`);
    await decide('approve');
    expect(await memory.load(id)).toMatchObject({ version: 2, content: 'buy oat milk', attributes: { tags: [] } });
  });

  it('keeps nothing of the note on a denied card once it is forgotten', async () => {
    let id = '';
    const { space, say, ask, decide } = world(editBy(() => ({ id, state: 'DONE', text: 'all is bought' })));
    id = idIn(await say('/remember buy marzipan'));
    expect(await ask('that is done')).toContain('- buy marzipan');
    await decide('deny');
    await say(`/forget ${id}`);
    const { items } = await dynamo.table.queryIndex({ index: 'feed', partition: `feed#${space}#approvals`, limit: 5 });
    const [approval] = await dynamo.table.load(items.map(({ pk, sk }) => ({ pk: String(pk), sk: String(sk) })));
    expect(JSON.stringify(approval)).toContain('[forgotten]');
    expect(JSON.stringify(approval)).not.toMatch(/marzipan|all is bought/);
  });

  it('makes the note outside if it was made from outside text', async () => {
    const { say, memory, space } = world();
    const id = idIn(await say('/remember buy milk'));
    const context = {
      memory,
      now: 1_790_000_000_000,
      zone: 'UTC',
      effectId: `${space}/tg-9#0`,
      signalId: 'tg-9',
      origin: 'outside',
      records: NO_RECORDS,
      powers: {},
      actor: 'agent',
      newNonce: () => '0'.repeat(32),
    } as const;
    const first = await editMemory.run({ id, text: 'buy gold' }, context);
    expect(first).toMatchObject({ origin: 'outside', output: expect.stringContaining('+ buy gold') });
    expect(await memory.load(id)).toMatchObject({ origin: 'outside', version: 2 });
    const again = await editMemory.run({ id, text: 'buy gold', version: 1 }, context);
    expect(again.output).toBe(`Changed: ${id.slice(0, 8)}  buy gold`);
    expect(await memory.load(id)).toMatchObject({ version: 2 });
  });

  it('never reaches a private note', async () => {
    let id = '';
    const { say, ask, memory, prompts } = world(editBy(() => ({ id, tags: [] })));
    id = idIn(await say('/remember the code is 4711 #personal'));
    expect(await ask('make it visible')).toMatch(
      /^That is all\.\n\n\(Nothing was sent, booked or saved in this turn\.\)$/,
    );
    expect(prompts.at(-1)).toContain('memory has no object');
    expect(prompts.join()).not.toContain('4711');
    expect(await memory.load(id)).toMatchObject({ version: 1, attributes: { tags: ['personal'] } });
  });
});

describe('/project', () => {
  it('starts, lists, is looked at by its title, and ends', async () => {
    const { say, memory, head } = world();
    expect(await say('/project')).toContain('There are no active projects');
    const started = await say('/project new Build the shed #garden');
    const id = idIn(started);
    expect(started).toBe(`Started the project ${id}: /focus ${id.slice(0, 8)} looks at it.`);
    expect(await memory.load(id)).toMatchObject({
      type: 'headline',
      attributes: { title: 'Build the shed', tags: ['project', 'garden'], todo: 'TODO' },
    });
    expect(await say('/project list')).toBe(`${id.slice(0, 8)}  Build the shed TODO #project #garden`);
    expect(await say('/focus build the')).toContain('In focus here: ');
    expect((await head()).focus).toBe(id);
    expect(await say('/project done the boat')).toContain('there is no active project of that name');
    expect(await say('/project done Build the shed')).toContain('state: TODO → DONE');
    expect(await say('/project')).toContain('There are no active projects');
  });
});

describe('/scope', () => {
  it('session: what is kept here is found here, and nowhere else', async () => {
    const { say, ask, prompts } = world();
    expect(await say('/scope')).toContain('found everywhere (scope memex)');
    expect(await say('/scope session')).toContain('in this conversation only');
    expect(await say('/remember the gate code is 1234')).toContain('in this conversation only');
    expect(await say('/recall gate')).toContain('1234 (session)');
    expect(await say('/recall gate', OTHER)).toBe('Nothing in memory has any of these words.');
    await ask('what is the gate code?', OTHER);
    expect(prompts.at(-1)).not.toContain('1234');
    await ask('what is the gate code?');
    expect(prompts.at(-1)).toContain('1234');
    await say('/scope memex');
    await say('/remember the gate is green');
    expect(await say('/recall gate', OTHER)).toContain('the gate is green');
  });

  it('project: what is kept goes below the project, and is found while it is in focus', async () => {
    const { say, ask, prompts, memory, head } = world();
    const id = idIn(await say('/project new Shed'));
    expect(await say('/scope project')).toContain('no project is in focus here');
    await say('/focus shed');
    expect(await say('/scope project')).toContain(`(scope project): ${id.slice(0, 8)}  Shed`);
    const note = idIn(await say('/remember the planks are oak'));
    expect(await memory.load(note)).toMatchObject({ scope: 'project', parentId: id });
    expect(await say('/recall planks')).toContain('oak (project)');
    expect(await say('/recall planks', OTHER)).toBe('Nothing in memory has any of these words.');
    await ask('which planks?', OTHER);
    expect(prompts.at(-1)).not.toContain('oak');
    await ask('which planks?');
    expect(prompts.at(-1)).toContain('oak');
    await say('/focus off');
    expect(await head()).not.toHaveProperty('scope');
    await ask('which planks again?');
    expect(prompts.at(-1)).not.toContain('oak');
    expect(await say(`/memory ${note}`)).toContain('note, project, from owner');
    expect(await say(`/edit ${note} scope memex`)).toContain('scope: project → memex');
    expect(await say('/recall planks', OTHER)).toContain('oak');
  });
});
