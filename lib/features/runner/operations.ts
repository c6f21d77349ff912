/** The verbs of runners: machines that perform commands for the agent. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import type { Change } from '../../core/operations/operation.ts';
import { RunnerName } from './runner-name.ts';

const name = z.pipe(z.string().check(z.toLowerCase(), z.describe('name of the machine')), RunnerName);
const changing = {
  kind: 'change',
  args: z.strictObject({ name }),
  words: ['name'],
  needs: 'approver',
  where: 'named',
  isTypedYes: true,
} as const;

export const runnersList = {
  ...changing,
  name: 'runners list',
  summary: 'the paired machines, and what each allows',
  args: z.strictObject({}),
  words: [],
  needs: 'owner',
  isDefault: true,
} as const satisfies Change;

const HASH = /^[0-9a-f]{64}$/;

/** A code that is sent into a chat stays there: a terminal makes it, and sends its hash. */
export const runnersPair = {
  ...changing,
  name: 'runners pair',
  summary: 'let a machine pair; in a terminal only',
  undoes: { 'remove-runner': 'In a terminal, "npx passepartout runners pair <name>" pairs it anew.' },
  args: z.strictObject({
    name,
    codeHash: z.string().check(z.regex(HASH), z.describe('SHA-256 of the secret of a code')),
  }),
  readWords: (rest) => {
    const [name = '<name>', codeHash = '', ...more] = rest.split(/\s+/);
    if (HASH.test(codeHash) && more.length === 0) return { name, codeHash };
    throw new ProtocolError(
      `the code to pair is a secret, and what is sent here stays here; in a terminal: npx passepartout runners pair ${name || '<name>'}`,
    );
  },
} as const satisfies Change;

export const runnersPause = {
  ...changing,
  name: 'runners pause',
  summary: 'give a machine no further work',
  undoes: { 'resume-runner': ['active'] },
} as const satisfies Change;

export const runnersResume = {
  ...changing,
  name: 'runners resume',
  summary: 'let a paused machine take work again',
  undoes: { 'pause-runner': ['paused'] },
} as const satisfies Change;

export const runnersRemove = {
  ...changing,
  name: 'runners remove',
  summary: 'end a pairing: the key of the machine counts no more',
  undoes: { 'pair-runner': ['active', 'paused'] },
} as const satisfies Change;

export const RUNNER_OPERATIONS = [runnersList, runnersPair, runnersPause, runnersResume, runnersRemove] as const;
