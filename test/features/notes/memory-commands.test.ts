/**
 * Commands about memory, through the three stages over the real table: looking costs no model and
 * changes nothing, going back is asked about with what would change on the card, and whoever is no
 * approver sees nothing.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { parseDecision } from '../../../lib/core/ledger/ledger.ts';
import { parseHead } from '../../../lib/core/ledger/session.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import type { TreeUpdate } from '../../../lib/core/memory/tree-update.ts';
import type { Payload, Signal } from '../../../lib/core/signal/signal.ts';
import { sessionKey, signalKeys } from '../../../lib/core/store/keys.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `memory-commands-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => {
      throw new Error('no model is asked');
    },
  });
  let n = 0;
  const send = async (payload: Payload, change: Partial<Signal> = {}) => {
    n += 1;
    const id = `tg-1-${n}`;
    const before = simulation.sent.length;
    await simulation.accept({ ...signalWith(space, id, payload, '7', 1_790_000_000_000 + n), ...change });
    await simulation.drain();
    return { id, said: simulation.sent.slice(before).map(({ text }) => text) };
  };
  const say = async (line: string, change: Partial<Signal> = {}) => {
    const [name = '', ...rest] = line.slice(1).split(' ');
    return (await send({ sensor: 'command', name, rest: rest.join(' ') }, change)).said.join('\n');
  };
  const approve = async () => {
    const partition = `unfinished#${space}#approvals`;
    const pending = await dynamo.table.queryIndex({ index: 'unfinished', partition, limit: 5 });
    const approvalId = String(pending.items[0]?.pk).split('#').at(-1) ?? '';
    return (await send({ sensor: 'approval-decision', approvalId, decision: 'approve' })).said;
  };
  const focus = async () => {
    const [item] = await dynamo.table.load([sessionKey(space, 'telegram:7')], { isConsistent: true });
    return item === undefined ? undefined : parseHead('telegram:7', item).focus;
  };
  return { space, send, say, approve, focus, memory: buildMemory(dynamo.table, space) };
};

const STRANGER = { sender: { id: 'telegram:9', isApprover: false } };
const idIn = (text: string) => /[0-9a-f]{32}/.exec(text)?.[0] ?? '';
const treeOf = (origin: TreeUpdate['origin'], ...nodes: TreeUpdate['nodes']): Payload => ({
  sensor: 'buffer-update',
  tree: JSON.parse(JSON.stringify({ origin, nodes })),
});
const CONSOLE = { source: 'console', sender: { id: 'console', isApprover: false } };

describe('commands that look into memory', () => {
  it('find, outline, show and audit an object by the start of its id, and name what they showed', async () => {
    const { say, send, space } = world();
    const told = await say('/remember the bike is blue');
    expect(told).toMatch(/^Remembered as [0-9a-f]{32}\.$/);
    const id = idIn(told);
    const short = id.slice(0, 8);
    expect(await say('/recall bike')).toBe(`${short}  the bike is blue`);
    expect(await say('/memory')).toBe(`1 object, commit 1\n${short}  the bike is blue`);
    expect(await say(`/memory ${short}`)).toContain(`${id} (note, memex, from owner, version 1, `);
    const audit = await say(`/audit ${id.slice(0, 6)}`);
    expect(audit).toContain(`${id}  note, memex, live\nhash `);
    expect(audit).toMatch(
      /version 1 {2}commit 1 {2}.* {2}write by telegram:7, said by tg-1-1 {2}[0-9a-f]{16} {2}not in the log yet$/m,
    );
    const { id: asked } = await send({ sensor: 'command', name: 'recall', rest: 'bike' });
    const [item] = await dynamo.table.load([signalKeys.decision(space, asked)], { isConsistent: true });
    expect(parseDecision(asked, item ?? {}).seen).toStrictEqual([{ id, version: 1 }]);
  });

  it('say plainly what there is not', async () => {
    const { say } = world();
    expect(await say('/memory')).toBe('Nothing is remembered yet.');
    expect(await say('/recall')).toBe('That command needs another form: /recall <words…>');
    expect(await say('/rollback')).toBe('That command needs another form: /rollback <snapshot or commit>');
    expect(await say('/recall bike')).toBe('Nothing in memory has any of these words.');
    expect(await say('/memory abcdef')).toContain('memory has no object abcdef');
    expect(await say('/audit bike')).toContain('name an object by its id');
    expect(await say('/diff 0')).toContain('/diff <a> <b>');
    expect(await say('/rollback never')).toContain('there is no snapshot never');
    expect(await say('/rollback 0')).toContain('nothing has changed since commit 0');
  });

  it('disarm what outsiders wrote', async () => {
    const { say } = world();
    await say('/remember see https://evil.example/a\u202e', STRANGER);
    expect(await say('/recall see')).toMatch(/hxxps:\/\/evil\[\.\]example\/a\S* .*\(outside\)$/);
  });

  it('stay within a message', async () => {
    const { say } = world();
    const nodes = Array.from({ length: 90 }, (_, n) => ({ level: n === 0 ? 1 : 2, key: `k${n}`, title: `Topic ${n}` }));
    const { send } = world();
    await send(treeOf('owner', ...nodes), CONSOLE);
    expect(await say('/memory')).toBe('Nothing is remembered yet.');
    const { say: ask, send: give } = world();
    await give(treeOf('owner', ...nodes), CONSOLE);
    const said = await ask('/memory');
    expect(said).toContain('90 objects, commit 1');
    expect(said).toMatch(/… 50 more$/);
    expect(said.length).toBeLessThan(4_000);
  });

  it.each(['/recall bike', '/memory', '/snapshots', '/diff 0 1', '/audit abcdef', '/rollback 0', '/focus off'])(
    'show nothing to whoever is no approver: %s',
    async (line) => {
      const { say } = world();
      await say('/remember the bike is blue');
      expect(await say(line, STRANGER)).toBe(`Only an approver can give the command ${line.split(' ')[0]}.`);
    },
  );

  it('show nothing private in a group', async () => {
    const { say } = world();
    await say('/remember @personal the bike lock opens with 4711');
    const group = { reply: { target: 'telegram' as const, to: '-100' } };
    expect(await say('/recall bike', group)).toContain('Everybody here would read what /recall shows.');
    expect(await say('/memory open', group)).toContain('This group is open');
    expect(await say('/recall bike', group)).toBe('Nothing in memory has any of these words.');
    expect(await say('/memory', group)).toBe('Nothing is remembered yet.');
    expect(await say('/recall bike')).toContain('4711');
  });

  it('audit a note that was taken away by its whole id, and in a group none that was private', async () => {
    const { say, send, memory } = world();
    const group = { reply: { target: 'telegram' as const, to: '-100' } };
    await say('/memory open', group);
    for (const content of ['the lamp is red', '@personal 4711']) {
      const [root, gone] = [
        { level: 1, key: 'k0', title: 'Notes' },
        { level: 2, key: 'k1', content },
      ];
      await send(treeOf('owner', root, gone), CONSOLE);
      const { objects } = await memory.view();
      const id = [...objects.values()].find((one) => one.state === 'live' && one.content === content)?.id ?? '';
      await send(treeOf('owner', root), CONSOLE);
      expect(await say(`/memory ${id}`)).toContain(`memory has no object ${id}`);
      expect(await say(`/audit ${id}`)).toMatch(
        new RegExp(`^${id}  headline, memex, removed\n[^]*\n.* removed by console`),
      );
      const inGroup = content.startsWith('@') ? `memory has no object ${id}` : 'removed by console';
      expect(await say(`/audit ${id}`, group)).toContain(inGroup);
    }
  });
});

describe('the focus', () => {
  it('is kept in the conversation, found by a start, and taken away', async () => {
    const { say, focus, send } = world();
    const id = idIn(await say('/remember the bike is blue'));
    expect(await say('/focus')).toBe('Nothing is in focus here.');
    expect(await say(`/focus ${id.slice(0, 8)}`)).toBe(`In focus here: ${id.slice(0, 8)}  the bike is blue`);
    expect(await focus()).toBe(id);
    expect(await say('/focus off')).toBe('Nothing is in focus here any more.');
    expect(await focus()).toBeUndefined();
    await send({ sensor: 'point-update', objectId: id }, CONSOLE);
    expect(await focus()).toBe(id);
  });
});

describe('/snapshot, /diff and /rollback', () => {
  it('go back after an approval that shows what would change', async () => {
    const { say, approve, memory } = world();
    const id = idIn(await say('/remember first'));
    expect(await say('/snapshot before trip')).toBe('Snapshot before trip is commit 1.');
    const later = idIn(await say('/remember second'));
    expect(await say('/snapshots')).toMatch(/^before trip {2}commit 1 {2}.*\nMemory is at commit 2\.$/);
    expect(await say('/diff before trip .. 2')).toBe(
      `From commit 1 to 2: 1 object changed.\nadded      ${later.slice(0, 8)}  second`,
    );
    const card = await say('/rollback before trip');
    expect(card).toContain('waits for your yes until');
    expect(card).toContain('Take memory back from its state number 2 to number 1:');
    expect(card).toContain(`gone again: second (${later.slice(0, 8)})`);
    expect(await memory.load(later)).toMatchObject({ state: 'live' });
    expect((await approve()).join('\n')).toContain('Memory is as it was at commit 1: ');
    expect(await memory.load(later)).toBeUndefined();
    expect(await memory.load(id)).toMatchObject({ state: 'live', content: 'first' });
  });

  it('changes nothing when memory has moved on since the card', async () => {
    const { say, approve, memory } = world();
    await say('/remember first');
    await say('/rollback 0');
    const id = idIn(await say('/remember second'));
    expect((await approve()).join('\n')).toContain(
      'memory has changed since this was planned: ask for the rollback again',
    );
    expect(await memory.load(id)).toMatchObject({ state: 'live' });
  });

  it('names the decisions that were shown what it undid', async () => {
    const { say, approve } = world();
    await say('/remember first');
    await say('/remember poison');
    await say('/recall poison');
    await say('/rollback 1');
    expect((await approve()).join('\n')).toMatch(
      /Decisions that were shown some of it[\s\S]*tg-1-3 {2}.* saw [0-9a-f]{8} version 1/,
    );
  });
});

describe("an editor's tree", () => {
  const A = { level: 1, key: 'buffer', title: 'Plans', content: 'this year' };
  const B = { level: 2, key: 'b', title: 'Garden', tags: ['home'] };

  it('is one action of its sender, taken in once, and unchanged nodes keep id and version', async () => {
    const { send, memory, space } = world();
    const { id } = await send(treeOf('owner', A, B), CONSOLE);
    const [root] = await memory.outline();
    expect(root).toMatchObject({ title: 'Plans', children: [{ title: 'Garden', tags: ['home'] }] });
    const [item] = await dynamo.table.load([signalKeys.decision(space, id)], { isConsistent: true });
    expect(
      parseDecision(id, item ?? {}).actions.map(({ action, outcome }) => [action.tool, action.author, outcome]),
    ).toStrictEqual([['ingest', 'owner', 'pass']]);
    await send(treeOf('owner', A, { ...B, title: 'The garden' }), CONSOLE);
    expect(await memory.load(root?.id ?? '')).toMatchObject({ version: 1, origin: 'owner' });
    expect(await memory.load(root?.children[0]?.id ?? '')).toMatchObject({ version: 2 });
  });

  it('stays outside where nobody vouches for it', async () => {
    const { send, memory } = world();
    await send(treeOf('outside', A), CONSOLE);
    const [root] = await memory.outline();
    expect(await memory.load(root?.id ?? '')).toMatchObject({ origin: 'outside' });
  });

  it('changes nothing where it is no tree, or comes from whoever is no approver', async () => {
    const { send, memory } = world();
    expect((await send(treeOf('owner', { ...A, level: 2 }), CONSOLE)).said.join()).toContain('nodes.0.level must be 1');
    expect((await send(treeOf('owner', A), STRANGER)).said.join()).toContain('Only an approver');
    expect(await memory.outline()).toStrictEqual([]);
  });
});
