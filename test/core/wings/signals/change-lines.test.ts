import { describe, expect, it } from 'vitest';
import type { Item } from '../../../../lib/core/store/table.ts';
import { changeLines } from '../../../../lib/core/verbs/signals/change-lines.ts';
import { DEFINITIONS } from '../../evidence/job-world.ts';

const at = Date.parse('2026-10-25T08:30:00Z');
const occurrence = { schemaVersion: 1, job: 'report', version: 2, kind: 'rule', instant: at, at, looks: 0 };
const version = {
  schemaVersion: 1,
  name: 'report',
  n: 2,
  state: 'active',
  definition: JSON.stringify(DEFINITIONS.later),
  hash: 'a'.repeat(64),
  from: at,
  by: 'telegram:7',
  why: 'edited',
  signalId: 'con-1',
  effectId: 'con-1#0',
};
const skill = { schemaVersion: 1, name: 'tide', files: [], trust: 'outside', by: 'telegram:7', at, signalId: 'con-1' };

describe('changeLines', () => {
  it.each<[string, Item, readonly string[]]>([
    [
      'occurrence',
      { ...occurrence, state: 'missed', why: 'the service was down', closedAt: at },
      ['Job report, version 2, moment Sun 2026-10-25 08:30 UTC: missed: the service was down'],
    ],
    [
      'occurrence',
      { ...occurrence, kind: 'run', state: 'fired' },
      ['Job report, version 2, run by hand Sun 2026-10-25 08:30 UTC: started on time, not ended yet'],
    ],
    ['job#report#000002', version, ['Job report, version 2: active (edited, by telegram:7)']],
    [
      `skill#tide#${'b'.repeat(64)}`,
      { ...skill, hash: 'b'.repeat(64) },
      [`Skill tide: version ${'b'.repeat(12)} in force, trust outside (by telegram:7)`],
    ],
    ['skill#tide#removed', { ...skill, hash: 'removed' }, ['Skill tide: removed (by telegram:7)']],
    ['effect#0', {}, []],
    ['occurrence', { schemaVersion: 2 }, []],
  ])('tells of %s', (sk, item, lines) => {
    expect(changeLines([{ pk: 'signal#default#con-1', sk, ...item }])).toStrictEqual(lines);
  });
});
