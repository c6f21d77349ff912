/**
 * Tests that a busy machine makes red: one that waits for a text and then looks at what is stored,
 * which is written beside it; and one that asserts how long something took.
 */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from '../../infra/bundling.ts';

const FILES = globSync('test/**/*.test.ts', { cwd: ROOT }).filter((file) => !file.endsWith('infra/waits.test.ts'));

/** A wait on what a person was told. */
const WAITS_ON_TEXT = /await until\([^;]*?(?:\bsent\(|[tT]exts\w*\(|\bmessages\()/s;
const ANY_WAIT = /await (?:until\(|(?:\w+\.)*(?:settled|drain|quiet|ended|answered|prints|all[A-Z]\w*)\()/;
const LOOKS_AT_STORE =
  /expect\((?:.*await )?(?:\w+\.)*(?:api|scan|signal|load|query|run|paste|decisionOf|effectsOf|runs|occurrences|historyOf)\(/;
const ASSERTS_TIME = /(?:performance\.now\(\)|cpuUsage\([^)]*\)\.\w+).*\)\.toBeLess/;

/** Statements that begin on a line of their own, with that line's number. */
const statementsOf = (text: string): readonly (readonly [line: number, text: string])[] => {
  const starts = text.split('\n').flatMap((line, at) => (/^ *[\w(].*/.test(line) ? [at] : []));
  const lines = text.split('\n');
  return starts.map((at, n) => [at + 1, lines.slice(at, starts[n + 1]).join('\n')] as const);
};

const racesIn = (text: string): readonly number[] => {
  let isOnText = false;
  return statementsOf(text).flatMap(([line, statement]) => {
    if (/^ *(?:it|describe)\b/.test(statement)) isOnText = false;
    if (ANY_WAIT.test(statement)) {
      isOnText = WAITS_ON_TEXT.test(statement);
      return [];
    }
    return isOnText && LOOKS_AT_STORE.test(statement) ? [line] : [];
  });
};

const findIn = (find: (text: string) => readonly number[]): readonly string[] =>
  FILES.flatMap((file) => find(readFileSync(join(ROOT, file), 'utf8')).map((line) => `${file}:${line}`));

describe('tests', () => {
  it('wait for the very state that they assert: use settled(), or until() on what is stored', () => {
    expect(findIn(racesIn)).toStrictEqual([]);
  });

  it('assert no times: count calls, bytes or steps, compare two in one run (growth.ts), or use the benchmark', () => {
    const timed = (text: string) => statementsOf(text).flatMap(([line, one]) => (ASSERTS_TIME.test(one) ? [line] : []));
    expect(findIn(timed)).toStrictEqual([]);
  });

  it('are looked through by rules that find what they shall', () => {
    const race =
      "  await until('a reply', () => textsTo(OWNER).length === 2);\n  expect(await world.scan()).toHaveLength(1);\n";
    expect(racesIn(race)).toStrictEqual([2]);
    expect(racesIn(race.replace('expect(await', 'await world.settled(id);\n  expect(await'))).toStrictEqual([]);
    expect(ASSERTS_TIME.test('expect(performance.now() - began).toBeLessThan(500);')).toBe(true);
  });
});
