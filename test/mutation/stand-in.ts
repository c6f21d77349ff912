/**
 * What tests import as `vitest` while they run inside Stryker's own process: the same `expect`, and
 * a list of suites instead of a run. Knows only what tests of gates and approvals use; anything
 * else is missing and fails loudly.
 */
import { format } from 'node:util';
import { expect as realExpect } from 'vitest';

type Body = (...args: readonly unknown[]) => unknown;

export interface Position {
  readonly line: number;
  readonly column: number;
}
export interface Test {
  readonly name: string;
  readonly body: () => unknown;
  readonly position: Position;
}
export interface Suite {
  readonly name: string;
  readonly before: (() => unknown)[];
  readonly beforeEach: (() => unknown)[];
  readonly after: (() => unknown)[];
  readonly tests: Test[];
  readonly suites: Suite[];
}

export const newSuite = (name: string): Suite => ({
  name,
  before: [],
  beforeEach: [],
  after: [],
  tests: [],
  suites: [],
});

/**
 * The suite that is being described: one for the whole process, since only one file is loaded at a
 * time.
 */
const stack: Suite[] = [];
const current = (): Suite => stack.at(-1) ?? newSuite('');

/** Runs what describes a file's tests, and gives them. */
export const collect = async (load: () => Promise<unknown>): Promise<Suite> => {
  const root = newSuite('');
  stack.length = 0;
  stack.push(root);
  await load();
  return root;
};

/**
 * Where in the test's file it was written: types are blanked out, so lines and columns are those of
 * the source.
 */
const positionHere = (): Position => {
  const line = (new Error('where').stack ?? '').split('\n').find((one) => one.includes('.test.ts'));
  const [, at, column] = /:(\d+):(\d+)\)?$/.exec(line ?? '') ?? [];
  return { line: Number(at ?? 1) - 1, column: Number(column ?? 1) - 1 };
};

const title = (name: string, row: unknown): string => {
  const values = Array.isArray(row) ? row : [row];
  const named = name.replace(/\$(\w+)/g, (whole, key: string) =>
    typeof row === 'object' && row !== null && key in row ? String(Reflect.get(row, key)) : whole,
  );
  const count = (named.match(/%[sdifjo]/g) ?? []).length;
  return format(named, ...values.slice(0, count));
};

const each =
  (add: (name: string, body: () => unknown) => void) => (rows: readonly unknown[]) => (name: string, body: Body) => {
    for (const row of rows) add(title(name, row), () => body(...(Array.isArray(row) ? row : [row])));
  };

const addTest = (name: string, body: () => unknown): void => {
  current().tests.push({ name, body, position: positionHere() });
};
const addSuite = (name: string, body: () => unknown): void => {
  const suite = newSuite(name);
  current().suites.push(suite);
  stack.push(suite);
  body();
  stack.pop();
};

export const it = Object.assign(addTest, { each: each(addTest) });
export const test = it;
export const describe = Object.assign(addSuite, { each: each(addSuite) });
export const expect = realExpect;
export const beforeAll = (hook: () => unknown): void => void current().before.push(hook);
export const beforeEach = (hook: () => unknown): void => void current().beforeEach.push(hook);
export const afterAll = (hook: () => unknown): void => void current().after.push(hook);
