/** A machine whose disk is full. The sandbox of its test has a small one. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { openJournal } from '../../../infra/runner/journal.ts';
import type { Sandbox } from '../../../infra/runner/sandbox.ts';
import { signOrder } from '../../../lib/features/runner/order.ts';
import type { TestMachine } from './machine.ts';
import { act, buildOrder, pairMachine } from './orders.ts';

const tried = async (work: () => unknown): Promise<string> => {
  try {
    await work();
    return '';
  } catch (error) {
    return String(error);
  }
};

const lineOf = (cmd: string) => ({ kind: 'job', at: 1, signed: signOrder(act, buildOrder('shell', { cmd })) }) as const;
const { journal } = await openJournal('/disk/journal.jsonl');
writeFileSync('/disk/filler', Buffer.alloc(140 * 1024));
const append = await tried(() => journal.append(lineOf('x'.repeat(160 * 1024))));
rmSync('/disk/filler');
const second = lineOf('after');
journal.append(second);
const { journal: again } = await openJournal('/disk/journal.jsonl');

const [home, work, notes] = ['/disk/home', '/disk/home/site', '/disk/home/notes'];
for (const folder of [home, work, notes]) mkdirSync(folder);
const none = { name: 'none' } as Sandbox;
const machine = { root: '/disk', home } as TestMachine;
const { deliver, claims } = await pairMachine(none, machine);
const job = buildOrder('shell', { cmd: 'ls', folder: work });
const answer = await deliver(job);
process.stdout.write(
  JSON.stringify({ append, isKnown: again.knows(second.signed), reason: answer?.reason, claims: claims.size }),
);
