/** The runner dies around every step of a job, or its disk is full: nothing runs twice (I7). */
import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect } from 'vitest';
import { type Machine, runOrder } from '../../../infra/runner/run-order.ts';
import { signOrder } from '../../../lib/features/runner/order.ts';
import { inSandbox, makeMachine } from './machine.ts';
import { act, buildOrder, pairMachine } from './orders.ts';

const STEPS = ['claim', 'journal', 'unsent', 'result', 'remove'] as const;
type Step = (typeof STEPS)[number];

/** The machine that dies at one step: from then on, nothing it does has an effect. */
const dying = (machine: Machine, at: number, isAfter: boolean) => {
  const steps: Step[] = [];
  let isDead = false;
  const step = <T>(name: Step, act: () => T): T => {
    if (!isDead) steps.push(name);
    const isLast = steps.length === at;
    if (isDead || (isLast && !isAfter)) {
      isDead = true;
      throw new Error('dead');
    }
    const done = act();
    if (isLast) {
      isDead = true;
      throw new Error('dead');
    }
    return done;
  };
  /** A dead machine hears no answer. */
  const never = async <T>(name: Step, act: () => Promise<T>): Promise<T> => {
    try {
      return await step(name, act);
    } catch {
      return await new Promise<never>(() => {});
    }
  };
  const { stack, journal, unsent } = machine;
  const mortal: Machine = {
    ...machine,
    stack: {
      claim: (body) => never('claim', () => stack.claim(body)),
      result: (body) => never('result', () => stack.result(body)),
      file: stack.file,
      offer: stack.offer,
    },
    journal: { ...journal, append: (...lines) => step('journal', () => journal.append(...lines)) },
    unsent: { ...unsent, keep: (body) => step('unsent', () => unsent.keep(body)) },
  };
  return { mortal, steps, remove: () => never('remove', async () => {}), isDead: () => isDead };
};

/** Writes jobs into a journal on a disk of 16 KiB: which it took, and knows afterwards. */
const ON_A_FULL_DISK = `
  const { openJournal } = await import(process.argv[1]);
  const { journal } = await openJournal('/dev/shm/journal');
  const took = JSON.parse(process.argv[2]).filter((signed) => {
    try { journal.append({ kind: 'job', at: 1, signed }); return true } catch { return false }
  });
  const { journal: again } = await openJournal('/dev/shm/journal');
  console.log(JSON.stringify([took, took.filter(again.knows)].map((all) => all.map(({ job }) => job.id))));
`;

describe('openJournal', () => {
  inSandbox('knows each job that it took, whatever the disk takes', async () => {
    const lengths = [3_000, 3_000, 3_000, 6_000, 300, 6_000, 300];
    const jobs = lengths.map((length) =>
      signOrder(act, buildOrder('shell', { cmd: 'x'.repeat(length), folder: '/a' })),
    );
    const module = new URL('../../../infra/runner/journal.ts', import.meta.url).href;
    const script = [process.execPath, '--input-type=module', '-e', ON_A_FULL_DISK, module, JSON.stringify(jobs)];
    const { stdout } = await promisify(execFile)('bwrap', [
      ...['--ro-bind', '/', '/', '--dev', '/dev', '--size', '16384', '--tmpfs', '/dev/shm', '--', ...script],
    ]);
    const [took, known] = JSON.parse(stdout);
    expect(took.length).toBeLessThan(jobs.length);
    expect(known).toStrictEqual(took);
  });
});

describe('runOrder', () => {
  inSandbox('runs a job at most once, and says how it ended, wherever the program dies', async (sandbox) => {
    const died: string[] = [];
    for (const isAfter of [false, true])
      for (let at = 1; ; at += 1) {
        const machine = makeMachine();
        const first = await pairMachine(sandbox, machine);
        const signed = signOrder(act, buildOrder('shell', { cmd: 'echo x >> count.txt', folder: machine.work }));
        const { mortal, steps, remove, isDead } = dying(first.machine, at, isAfter);
        const body = JSON.stringify(signed);
        const over = runOrder(mortal, { body, remove }).catch(() => {});
        await Promise.race([over, expect.poll(isDead, { interval: 5 }).toBe(true)]);
        if (!isDead()) break;
        // The stack has the claims and results of both lives.
        const second = await pairMachine(sandbox, machine, undefined, first);
        await second.deliverText(body);
        await second.machine.unsent.post();
        const count = join(machine.work, 'count.txt');
        const runs = existsSync(count) ? readFileSync(count, 'utf8').length / 2 : 0;
        const states = [...new Set(second.results.map(({ result }) => result.result.state))];
        const label = `${isAfter ? 'after' : 'before'} ${at} ${steps.at(-1)}`;
        died.push(label);
        expect(runs, label).toBeLessThanOrEqual(1);
        // A claim that the journal does not know of never runs: the stack calls it lost.
        expect(states, label).toStrictEqual(
          second.machine.journal.knows(signed)
            ? [runs === 0 ? 'unknown' : expect.stringMatching(/^(done|unknown)$/)]
            : [],
        );
      }
    expect(died).toHaveLength(12);
  });
});
