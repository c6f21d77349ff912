/**
 * Forgetting a note of a file that was taken in (I10): nothing kept says it, and nothing kept is a
 * hash by which whoever knows all the rest could tell a right guess of it from a wrong one;
 * whichever trees it was in, in one piece or several, and also where an earlier release kept a hash
 * over the whole document.
 */
import { afterAll, describe, expect, it } from 'vitest';
import { buildMemoryTree, hashNote } from '../../../infra/cli/notes/memory-tree.ts';
import { parseNote } from '../../../infra/cli/notes/parse-note.ts';
import { parseDecision } from '../../../lib/core/ledger/ledger.ts';
import type { TreeNode } from '../../../lib/core/memory/ingest.ts';
import { buildMemory } from '../../../lib/core/memory/memory.ts';
import { contentHashOf, type LiveObject } from '../../../lib/core/memory/object.ts';
import { listNodes, TreeUpdate, treeHash } from '../../../lib/core/memory/tree-update.ts';
import { type Action, actionHash } from '../../../lib/core/signal/action.ts';
import type { Payload } from '../../../lib/core/signal/signal.ts';
import { signalKeys } from '../../../lib/core/store/keys.ts';
import { startDynamo } from '../../support/dynamo.ts';
import { fc } from '../../support/fast-check.ts';
import { itemText, scanSpace } from '../../support/scan.ts';
import { buildSimulation, signalWith } from '../../support/simulation.ts';

const dynamo = await startDynamo();
afterAll(dynamo.stop);

const nodeOf = (text: string) => {
  const parsed = parseNote(text, 'codes.md', 'markdown');
  if (parsed.kind === 'bad') throw new Error(JSON.stringify(parsed.problems));
  return parsed.node;
};
const fileWith = (code: string, first: string) => `# Gate\n\n${first}\n\n# Safe\n\n${code}\n\n# Shed\n\nno lock\n`;

let spaces = 0;
const world = () => {
  spaces += 1;
  const space = `forget-import-${spaces}`;
  const simulation = buildSimulation({
    table: dynamo.table,
    space,
    answer: () => {
      throw new Error('no model is asked');
    },
  });
  let n = 0;
  const send = async (payload: Payload, source: 'telegram' | 'console' = 'console') => {
    n += 1;
    const id = `tg-1-${n}`;
    await simulation.accept({ ...signalWith(space, id, payload, '7', simulation.now()), source });
    await simulation.drain();
    return id;
  };
  const give = async (update: Omit<TreeUpdate, 'origin'>) => {
    const whole = { origin: 'owner', ...update } as const;
    const tree = JSON.parse(JSON.stringify(whole));
    return { id: await send({ sensor: 'buffer-update', tree }), hash: treeHash(TreeUpdate.parse(tree)) };
  };
  const memory = buildMemory(dynamo.table, space);
  const objectSaying = async (text: string): Promise<LiveObject> => {
    for (const object of (await memory.view()).objects.values())
      if (object.state === 'live' && object.content.includes(text)) return object;
    throw new Error(`no object says ${text}`);
  };
  const forget = async (id: string) => {
    const before = simulation.sent.length;
    await send({ sensor: 'command', name: 'forget', rest: id }, 'telegram');
    expect(
      simulation.sent
        .slice(before)
        .map(({ text }) => text)
        .join(),
    ).toContain(`Forgotten: ${id}.`);
  };
  const actionOf = async (id: string): Promise<Action> => {
    const [item] = await dynamo.table.load([signalKeys.decision(space, id)], { isConsistent: true });
    const [judged] = parseDecision(id, item ?? {}).actions;
    if (judged === undefined) throw new Error(`nothing was decided on ${id}`);
    return judged.action;
  };
  return {
    space,
    give,
    memory,
    objectSaying,
    forget,
    actionOf,
    scan: () => scanSpace(dynamo, space).then((items) => items.map(itemText).join('\n')),
  };
};

/** A tree as it was sent. */
interface Sent {
  readonly update: Omit<TreeUpdate, 'origin'>;
  readonly action: Action;
}

/**
 * Every hash the right guess leads to, with each number in the table that could have been drawn for
 * it.
 */
const guessesOf = (code: string, whole: TreeNode, sent: readonly Sent[], stored: string): readonly string[] => {
  const nonces = [...new Set(stored.match(/\b[0-9a-f]{32}\b/g) ?? [])];
  const trees = sent.flatMap(({ update: { nonce: _, ...update }, action }) =>
    [undefined, ...nonces].flatMap((nonce) => {
      const hash = treeHash({ origin: 'owner', ...update, ...(nonce === undefined ? {} : { nonce }) });
      return [hash, actionHash({ ...action, args: { ...action.args, tree: hash } })];
    }),
  );
  const node = whole.children.find(({ content }) => content.includes(code));
  const contentHash = contentHashOf(node?.content ?? '');
  const parts = sent.flatMap(({ update }) => (update.parts ?? []).map(({ hash }) => hash));
  return [contentHash, ...parts, ...trees];
};

const NONCES = ['a', 'b', 'c'].map((digit) => digit.repeat(32));

describe('forgetting a note of a buffer', () => {
  it('leaves another buffer whose editor counts its nodes the same way', async () => {
    const here = world();
    const buffer = (root: string, text: string) => [
      { level: 1, key: root, title: root },
      { level: 2, key: '1', content: text },
    ];
    await here.give({ nodes: buffer('diary', 'the violet heron') });
    const other = await here.give({ nodes: buffer('shopping', 'bread and tea') });
    const words = async () =>
      (await scanSpace(dynamo, here.space))
        .filter(({ pk }) => String(pk).endsWith(`#${other.id}`))
        .map(itemText)
        .join();
    expect(await words()).toContain('bread and tea');
    await here.forget((await here.objectSaying('violet heron')).id);
    expect(await here.scan()).not.toContain('violet heron');
    expect(await words()).toContain('bread and tea');
  });
});

describe('forgetting a note of a file', () => {
  it('leaves no hash by which it could be guessed, whatever trees it was sent in (property)', async () => {
    const code = fc.integer({ min: 1000, max: 9999 }).map((number) => `pin ${number}`);
    const trees = fc.array(fc.record({ isSplit: fc.boolean(), isSame: fc.boolean() }), { minLength: 1, maxLength: 3 });
    await fc.assert(
      fc.asyncProperty(code, trees, async (words, steps) => {
        const here = world();
        const sent: Sent[] = [];
        let text = fileWith(words, 'open');
        for (const [n, { isSplit, isSame }] of steps.entries()) {
          text = isSame ? text : fileWith(words, `open ${n}`);
          const nodes = [...listNodes(buildMemoryTree(nodeOf(text)))];
          const part = { isPart: true, nodes: nodes.slice(0, -1) } as const;
          const first = isSplit ? await here.give(part) : undefined;
          const parts = first && [{ signalId: first.id, hash: first.hash, nodes: part.nodes.length }];
          const update = {
            nodes: parts ? nodes.slice(-1) : nodes,
            ...(parts ? { parts } : {}),
            nonce: NONCES[n] ?? '',
          };
          const { id } = await here.give(update);
          sent.push({ update, action: await here.actionOf(id) });
        }
        const whole = buildMemoryTree(nodeOf(text));
        const { id } = await here.objectSaying(words);
        const before = await here.scan();
        // The searched text is still there until then.
        expect(guessesOf(words, whole, sent, before).filter((guess) => before.includes(guess)).length).toBeGreaterThan(
          sent.length,
        );
        await here.forget(id);
        const after = await here.scan();
        expect(after).not.toContain(words);
        for (const nonce of NONCES) expect(after).not.toContain(nonce);
        expect(guessesOf(words, whole, sent, after).filter((guess) => after.includes(guess))).toStrictEqual([]);
        expect(after).not.toContain(hashNote(nodeOf(text)));
        expect(after).toContain('no lock');
      }),
      { numRuns: 8 },
    );
  });
});
