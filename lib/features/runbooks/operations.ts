/** The verbs of runbooks and of their runs. */
import * as z from 'zod/mini';
import { ProtocolError } from '../../core/base/errors.ts';
import { JsonObject } from '../../core/base/json.ts';
import type { Change, Look } from '../../core/operations/operation.ts';

const name = z.string().check(z.toLowerCase(), z.minLength(1), z.describe('name of the runbook'));
const run = z.string().check(z.minLength(1), z.describe('id of the run, as the list of runs gives it'));
const rights = { needs: 'owner', where: 'named' } as const;

const ShownRun = z.looseObject({
  id: z.string(),
  runbook: z.string(),
  state: z.string(),
  why: z.optional(z.string()),
  /** Epoch milliseconds, as `changedAt`. */
  startedAt: z.int(),
  changedAt: z.int(),
});

export const runbookList = {
  kind: 'look',
  name: 'runbook list',
  summary: 'every runbook, and what it is for',
  args: z.strictObject({}),
  data: z.looseObject({
    runbooks: z.array(
      z.looseObject({
        ...{ name: z.string(), description: z.string(), skill: z.string() },
        /** It came with the program, not from a person. */
        isBuiltIn: z.optional(z.boolean()),
      }),
    ),
  }),
  ...rights,
  isDefault: true,
} as const satisfies Look;

export const runbookShow = {
  kind: 'look',
  name: 'runbook show',
  summary: 'the steps of a runbook, or how far a run is',
  args: z.strictObject({ name: z.string().check(z.minLength(1), z.describe('name of a runbook, or id of a run')) }),
  words: ['name'],
  data: z.looseObject({
    run: z.optional(ShownRun),
    /** Of a runbook: the values that whoever starts it gives. */
    inputs: z.optional(
      z.array(z.looseObject({ name: z.string(), meaning: z.string(), default: z.optional(z.string()) })),
    ),
  }),
  ...rights,
} as const satisfies Look;

export const runbookRuns = {
  kind: 'look',
  name: 'runbook runs',
  summary: 'the newest runs, and what became of each',
  args: z.strictObject({}),
  data: z.looseObject({ runs: z.array(ShownRun) }),
  ...rights,
} as const satisfies Look;

/** An input and its value; `input.` before it, as `/jobs add` takes it. */
const PAIR = /(?:input\.)?(\w+)=(?:["“”„]([^"“”„]*)["“”„]|(\S*))/gu;

/** `name a=b c="two words" whole`; `--input` before a pair, as in a shell. @throws ProtocolError */
const readStart = (rest: string): unknown => {
  const [, runbook = '', given = ''] = /^(\S*)\s*([\s\S]*)$/.exec(rest) ?? [];
  const more = given.replace(/(?:--|—)input (?=\w+=)/gu, '');
  const pairs = [...more.matchAll(PAIR)];
  const left = more.replace(PAIR, '').trim();
  if (left !== '' && left !== 'whole')
    throw new ProtocolError(`"${left.slice(0, 40)}" is no input, such as service=shop`);
  return {
    runbook,
    inputs: Object.fromEntries(pairs.map(([, key = '', words, word = '']) => [key, words ?? word] as const)),
    ...(left === 'whole' ? { approveWhole: true } : {}),
  };
};

const start = {
  kind: 'change',
  args: z.strictObject({
    runbook: name,
    inputs: z.optional(JsonObject),
    text: z.optional(z.string().check(z.describe('the runbook itself, instead of one that a skill brings'))),
    approveWhole: z.optional(z.boolean().check(z.describe('one yes covers every step once'))),
  }),
  readWords: readStart,
  form: '<name> [<input>=<value> …] [whole]',
  ...rights,
} as const;

export const runbookRun = {
  name: 'runbook run',
  summary: 'perform a runbook; its card shows every step',
  ...start,
  isTypedYes: true,
} as const satisfies Change;

export const runbookDryRun = {
  name: 'runbook dry-run',
  summary: 'what a run would do now, without doing it',
  ...start,
} as const satisfies Change;

export const runbookStop = {
  kind: 'change',
  name: 'runbook stop',
  summary: 'end a run: no further step is done',
  args: z.strictObject({ run }),
  words: ['run'],
  needs: 'approver',
  where: 'named',
} as const satisfies Change;

export const RUNBOOK_OPERATIONS = [
  runbookList,
  runbookShow,
  runbookRuns,
  runbookRun,
  runbookDryRun,
  runbookStop,
] as const;
