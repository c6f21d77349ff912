/**
 * The offline verifier: what it vouches for, and each rule by itself. Here the log is honest about
 * a dishonest agent: every hash, root and signature holds, and what was recorded must not have
 * happened.
 */
import { hash } from 'node:crypto';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Leaf } from '../../../lib/core/evidence/leaf.ts';
import { CLOCK_SKEW_MS } from '../../../lib/core/evidence/limits.ts';
import { recordHash } from '../../../lib/core/evidence/record-hash.ts';
import { type VerifyOptions, verifyExport } from '../../../lib/core/evidence/verifier/verify-export.ts';
import { buildExportLines, type ExportRecord } from '../../../lib/core/log/export-lines.ts';
import { cosign, WITNESS } from './cosign.ts';
import {
  type Built,
  buildExport,
  buildWorld,
  FIRST_KEY,
  FORGERS_KEY,
  GATE_SET,
  SECOND_KEY,
  textOf,
  type World,
} from './export-world.ts';

let world: World;
let built: Built;
beforeAll(() => {
  world = buildWorld(40);
  built = buildExport(world);
});

const verify = (lines: readonly string[], options: Partial<VerifyOptions> = {}) =>
  verifyExport(lines, { now: world.exportedAt, ...options });
const wrongOf = async (lines: readonly string[], options: Partial<VerifyOptions> = {}) => {
  const result = await verify(lines, options);
  return 'wrong' in result ? result.wrong : result.status;
};

const found = (kind: string, id: string): ExportRecord =>
  world.records.find((one) => one.kind === kind && one.id === id) as ExportRecord;
const approvalIds = (): readonly string[] =>
  world.records.filter(({ kind }) => kind === 'approval').map(({ id }) => id);

/** The world in which this record always was as it is now: its leaf agrees. */
const withFixed = (from: World, record: ExportRecord, change: object): World => {
  const fixed = { ...record.fixed, ...change };
  const hash = recordHash(record.kind, fixed);
  const at = record.leaf as number;
  return {
    ...from,
    records: from.records.map((one) => (one.kind === record.kind && one.id === record.id ? { ...one, fixed } : one)),
    leaves: from.leaves.with(at, { ...(from.leaves[at] as Leaf), hash } as Leaf),
  };
};
const linesWith = (record: ExportRecord, change: object): readonly string[] =>
  buildExport(withFixed(world, record, change)).lines;

describe('verifyExport', () => {
  it('verifies an untouched export, and says all it found', async () => {
    const now = world.exportedAt + 86_400_000;
    expect(await verify(built.lines, { key: textOf(SECOND_KEY), anchor: built.anchor, now })).toStrictEqual({
      status: 'verified',
      missing: [],
      space: 'default',
      exportedAt: world.exportedAt,
      newestAt: Math.max(...world.leaves.map(({ at }) => at)),
      mayBeOlder: false,
      leaves: world.leaves.length,
      late: 0,
      checkpoints: world.sizes.length,
      uncheckedCosignatures: 0,
      root: built.anchor.split('\n')[2],
      isSigned: true,
      isAnchored: true,
      unknownGateSets: [],
      records: world.records.length,
      pending: 0,
      firstPending: '',
      forgotten: 2,
      withheld: 0,
      hidden: 0,
      firstHidden: '',
      jobs: 0,
      occurrences: 0,
      runnerJobs: 0,
      areRulesComputed: true,
    });
  });

  it('says which bytes of a checkpoint it does not check: the cosignature of a witness that was not given', async () => {
    const at = built.lines.findLastIndex((line) => line.startsWith('{"type":"checkpoint"'));
    const { note } = JSON.parse(built.lines[at] as string);
    const line = (text: string) => JSON.stringify({ type: 'checkpoint', note: text });
    const cosigned = cosign(note);
    const options = { key: textOf(SECOND_KEY), witnesses: [WITNESS.verifier], atLeast: 1 };
    expect(await verify(built.lines.with(at, line(cosigned)), options)).toMatchObject({ uncheckedCosignatures: 0 });
    const unnamed: number[] = [];
    for (let place = 0; place < cosigned.length; place += 1) {
      const text = `${cosigned.slice(0, place)}${cosigned[place] === 'A' ? 'B' : 'A'}${cosigned.slice(place + 1)}`;
      const changed = built.lines.with(at, line(text));
      expect(await verify(changed, options), `byte ${place}`).not.toMatchObject({ status: 'verified' });
      const alone = await verify(changed, { key: textOf(SECOND_KEY) });
      if (!('wrong' in alone) && alone.uncheckedCosignatures !== 1) unnamed.push(place);
      if (!('wrong' in alone)) expect(place).toBeGreaterThanOrEqual(note.length);
    }
    expect(unnamed).toStrictEqual([]);
  });

  it('tells of every line', async () => {
    let lines = 0;
    await verify(built.lines, { onLine: (count) => (lines = count) });
    expect(lines).toBe(built.lines.length);
  });

  it('takes an empty log, and never says that it is verified', async () => {
    const empty = buildExport({ exportedAt: world.exportedAt, leaves: [], records: [], sizes: [] });
    expect(await verify(empty.lines, { key: textOf(FIRST_KEY) })).toMatchObject({
      status: 'incomplete',
      missing: ['The log is empty: there is nothing that a key could have signed.'],
      leaves: 0,
      checkpoints: 0,
    });
  });

  it('shows the time of the newest leaf, and names an export that claims to be much younger', async () => {
    const newestAt = Math.max(...world.leaves.map(({ at }) => at));
    const dated = async (exportedAt: number) =>
      verify([...buildExportLines({ ...built.parts, exportedAt })], { now: exportedAt, key: textOf(FIRST_KEY) });
    expect(await dated(newestAt + 3_600_000)).toMatchObject({ status: 'verified', newestAt, mayBeOlder: false });
    expect(await dated(newestAt + 3_600_001)).toMatchObject({ status: 'verified', newestAt, mayBeOlder: true });
  });

  it('says which gate sets the file does not explain', async () => {
    const lines = [...buildExportLines({ ...built.parts, gateSets: [] })];
    const { gateSet } = found('decision', 'con-1').fixed as { gateSet: string };
    expect(await verify(lines, { key: textOf(FIRST_KEY), anchor: built.anchor })).toMatchObject({
      status: 'incomplete',
      missing: [
        `Gate set ${gateSet.slice(0, 12)} is missing, which the decision con-0 names: traces judged under it were not checked for missing gates.`,
      ],
      unknownGateSets: [gateSet],
    });
  });

  it('misses no gate of the file in what was done under gates the file does not explain', async () => {
    const gateSets = [{ ...GATE_SET, gates: [...GATE_SET.gates, ['added-since', 1, 1] as const] }];
    expect(await verify([...buildExportLines({ ...built.parts, gateSets })])).toMatchObject({ status: 'incomplete' });
  });
});

describe('an effect', () => {
  const named = () => ({ kind: 'effect', id: 'con-8#0', index: found('effect', 'con-8#0').leaf });
  const asked = () => found('effect', 'con-13#0');
  const trace = (...without: readonly string[]) =>
    GATE_SET.gates.map(([name]) => name).filter((name) => !without.includes(name));

  it.each<[string, () => object, string]>([
    ['of another action', () => ({ actionHash: 'd'.repeat(64) }), 'its action is not the one that was decided'],
    ['without a trace', () => ({ trace: [] }), 'it was performed without a gate trace'],
    ['with a gate missing', () => ({ trace: trace('network') }), 'its gate trace is not complete: network is missing'],
    [
      'that a gate blocked',
      () => ({ trace: [...trace(), { gate: 'network', verdict: 'block', reason: 'no' }] }),
      'it was performed though a gate blocked it',
    ],
    [
      'that a gate asked about',
      () => ({ trace: [...trace(), { gate: 'network', verdict: 'ask', reason: 'may I' }] }),
      'a gate asked for a person, and it was performed without an approval or a grant',
    ],
    [
      'with an approval nobody knows',
      () => ({ approval: 'e'.repeat(32) }),
      'the approval it was performed with is not there',
    ],
  ])('%s is named', async (_, change, what) => {
    expect(await wrongOf(linesWith(found('effect', 'con-8#0'), change()))).toStrictEqual({ ...named(), what });
  });

  it('passes with a grant where a gate asked', async () => {
    const change = { trace: [...trace('network'), { gate: 'network', verdict: 'ask', reason: 'may I' }], grant: 'g1' };
    expect(await wrongOf(linesWith(found('effect', 'con-8#0'), change))).toBe('consistent');
  });

  it('needs its decision, before it', async () => {
    const at = found('decision', 'con-8').leaf as number;
    const other = { ...(world.leaves[at] as Leaf), kind: 'decision', id: 'con-x' } as Leaf;
    const moved = { ...found('decision', 'con-8'), id: 'con-x' };
    const fixed = { ...moved.fixed, signalId: 'con-x' };
    const hash = recordHash('decision', fixed);
    const forged: World = {
      ...world,
      leaves: world.leaves.with(at, { ...other, hash }),
      records: world.records.map((one) => (one.id === 'con-8' ? { ...moved, fixed } : one)),
    };
    expect(await wrongOf(buildExport(forged).lines)).toStrictEqual({
      ...named(),
      what: 'there is no decision before it',
    });
  });

  it('that was asked about needs the approval it was performed with', async () => {
    const { approval: _spent, ...rest } = asked().fixed as { approval: string };
    const hash = recordHash('effect', rest);
    const at = asked().leaf as number;
    const forged: World = {
      ...world,
      leaves: world.leaves.with(at, { ...(world.leaves[at] as Leaf), hash } as Leaf),
      records: world.records.map((one) => (one.id === asked().id ? { ...one, fixed: rest } : one)),
    };
    expect(await wrongOf(buildExport(forged).lines)).toStrictEqual({
      kind: 'effect',
      id: 'con-13#0',
      index: at,
      what: 'a gate asked for a person, and it was performed without an approval or a grant',
    });
  });
});

describe('an approval', () => {
  it.each<[string, object, string, string]>([
    ['still pending', { state: 'pending' }, 'effect', 'its approval was not spent on it but is pending'],
    ['of another action', { actionHash: 'd'.repeat(64) }, 'effect', 'its approval was given for another action'],
    ['of another signal', { signalId: 'con-1' }, 'effect', 'its approval was given for another action'],
    ['that had expired', { expiresAt: 1 }, 'approval', 'it was spent after it had expired'],
    ['nobody gave', { decidedAt: undefined }, 'approval', 'it was spent before anybody had given it'],
    ['given too late', { decidedAt: 2_000_000_000_000 }, 'approval', 'it was spent before anybody had given it'],
  ])('%s does not cover its effect', async (_, change, kind, what) => {
    const record = found('approval', approvalIds()[0] as string);
    const fixed = Object.fromEntries(
      Object.entries({ ...record.fixed, ...change }).filter(([, value]) => value !== undefined),
    );
    const forged: World = {
      ...world,
      leaves: world.leaves.with(
        record.leaf as number,
        {
          ...(world.leaves[record.leaf as number] as Leaf),
          hash: recordHash('approval', fixed),
        } as Leaf,
      ),
      records: world.records.map((one) => (one === record ? { ...one, fixed } : one)),
    };
    expect(await wrongOf(buildExport(forged).lines)).toMatchObject({ kind, what });
  });

  it('covers its effect though the clock of whoever took it was seconds ahead of the one of whoever spent it', async () => {
    const record = found('approval', approvalIds()[0] as string);
    const { spentAt } = record.fixed as { spentAt: number };
    expect(await wrongOf(linesWith(record, { decidedAt: spentAt + CLOCK_SKEW_MS }))).toBe('consistent');
    expect(await wrongOf(linesWith(record, { decidedAt: spentAt + CLOCK_SKEW_MS + 1 }))).toMatchObject({
      what: 'it was spent before anybody had given it',
    });
  });

  it('cannot be spent twice', async () => {
    const [first = ''] = approvalIds();
    const lines = linesWith(found('effect', 'con-13#0'), { approval: first });
    expect(await wrongOf(lines)).toStrictEqual({
      kind: 'approval',
      id: first,
      index: found('approval', first).leaf,
      what: 'it was spent twice: on con-3#0 and on con-13#0',
    });
  });
});

describe('a decision', () => {
  it('must hold the verdict of every gate of its set', async () => {
    const record = found('decision', 'con-8');
    const { actions } = record.fixed as { actions: { trace: unknown[] }[] };
    const cut = actions.map((action) => ({ ...action, trace: action.trace.slice(1) }));
    expect(await wrongOf(linesWith(record, { actions: cut }))).toStrictEqual({
      kind: 'decision',
      id: 'con-8',
      index: record.leaf,
      what: 'the gate trace of action 0 is not complete: kill-switch is missing',
    });
  });

  it('under a gate set whose gates are not those of its version is not believed', async () => {
    const lines = built.lines.map((line) => line.replace('["network",97,1]', '["network",97,2]'));
    expect(await wrongOf(lines)).toMatchObject({ kind: 'gate-set', what: 'its gates are not the ones of its version' });
  });
});

describe('the code of a gate of a skill', () => {
  const CODE = 'function gate() { return { verdict: "pass" }; }';
  const withCode = (gateCode: readonly string[], version = 1) => {
    const gate = ['skill-guard-limit', 5, version, hash('sha256', CODE)] as const;
    const gateSets = [GATE_SET, { ...GATE_SET, gates: [...GATE_SET.gates, gate] }];
    return [...buildExportLines({ ...built.parts, gateSets, gateCode })];
  };

  it('must be there, unless nobody could read it even then', async () => {
    expect(await verify(withCode([CODE]))).toMatchObject({ status: 'consistent', missing: [] });
    expect(await verify(withCode([]))).toMatchObject({
      status: 'incomplete',
      missing: [expect.stringMatching(/^The gate skill-guard-limit lacks its code [0-9a-f]{12}/)],
    });
    expect(await verify(withCode([], 0))).toMatchObject({ status: 'consistent', missing: [] });
  });

  it.each([
    ['is other code', [CODE], (line: string) => line.replace('pass', 'PASS'), 'it is not the code of its hash'],
    ['stands twice', [CODE, CODE], (line: string) => line, 'no gate set names it, or it is there twice'],
    ['belongs to no gate', [CODE, 'x'], (line: string) => line, 'no gate set names it, or it is there twice'],
  ])('is not believed if it %s', async (_, code, change, what) => {
    const lines = withCode(code).map((line) => (line.includes('"gate-code"') ? change(line) : line));
    expect(await wrongOf(lines)).toMatchObject({ kind: 'gate-code', what });
  });
});

describe('a commit', () => {
  it('must follow the one before, and start from what that left', async () => {
    const second = found('commit', '2');
    const { changes } = second.fixed as { changes: { old: string | null }[] };
    const other = changes.map((change) => ({ ...change, old: 'f'.repeat(64) }));
    const unnamed = withFixed(world, second, { changes: other });
    expect(await wrongOf(buildExport(unnamed).lines)).toMatchObject({
      kind: 'commit',
      id: '2',
      what: 'its leaf names other changes',
    });
    const at = second.leaf as number;
    const named = {
      ...unnamed,
      leaves: unnamed.leaves.with(at, { ...(unnamed.leaves[at] as Leaf), changes: other } as Leaf),
    };
    expect(await wrongOf(buildExport(named).lines)).toMatchObject({
      what: 'object object-2 did not have the hash it says',
    });
  });
});

describe('the merge delay', () => {
  it.each([
    ['before the record', -1],
    ['with it', 0],
    ['after the export', 86_400_000],
  ])('takes no leaf that says it was added late, %s', async (_when, afterMs) => {
    const [first, ...rest] = world.leaves as readonly [Leaf, ...Leaf[]];
    const late = buildExport({ ...world, leaves: [{ ...first, loggedAt: first.at + afterMs }, ...rest] });
    expect(await wrongOf(late.lines)).toMatchObject({
      index: 0,
      what: 'its leaf says it was added at a time that cannot be',
    });
  });

  it('counts the leaves that say they were added late', async () => {
    const leaves = world.leaves.map((leaf, n) => (n < 3 ? { ...leaf, loggedAt: leaf.at + 1 } : leaf));
    const { lines } = buildExport({ ...world, leaves });
    expect(await verify(lines, { key: textOf(SECOND_KEY) })).toMatchObject({ status: 'verified', late: 3 });
  });

  /**
   * The last two records have no leaf: how long ago they may have been is told from the time of the
   * export.
   */
  const young = buildWorld(40, true);
  const exportedLater = (ms: number) => [
    ...buildExportLines({ ...buildExport(young).parts, exportedAt: world.exportedAt + ms }),
  ];

  it('names the first record that no leaf holds, as earlier releases exported them, and is not verified then', async () => {
    expect(await verify(exportedLater(0), { key: textOf(FIRST_KEY) })).toMatchObject({
      status: 'incomplete',
      missing: [expect.stringMatching(/^2 records are not held by a leaf of the log, first decision con-40: /)],
      pending: 2,
    });
  });

  it('is over after a minute: what has no leaf then is named', async () => {
    // Half a minute old at the export: half a minute more is the delay, and ten seconds more what
    // clocks may be apart.
    expect(await wrongOf(exportedLater(39_999), { now: world.exportedAt + 60_000 })).toBe('incomplete');
    expect(await wrongOf(exportedLater(40_000), { now: world.exportedAt + 60_000 })).toStrictEqual({
      kind: 'decision',
      id: 'con-40',
      index: null,
      what: 'it is older than the merge delay and has no leaf',
    });
  });

  it('takes a record that the clock of its writer dates some seconds after the export, and none that is dated later', async () => {
    const record = young.records.find(({ id }) => id === 'con-40#0') as ExportRecord;
    const { settledAt } = record.fixed as { settledAt: number };
    const earliest = settledAt - CLOCK_SKEW_MS - world.exportedAt;
    expect(await wrongOf(exportedLater(earliest))).toBe('incomplete');
    expect(await wrongOf(exportedLater(earliest - 1))).toMatchObject({ what: 'it is younger than the export' });
  });

  it('lets a record change that has the leaf of how it stood before', async () => {
    const record = found('effect', 'con-39#0');
    const claimed = world.leaves.with(
      record.leaf as number,
      {
        ...(world.leaves[record.leaf as number] as Leaf),
        hash: recordHash('effect', claimedForm(record.fixed)),
        state: 'claimed',
      } as Leaf,
    );
    const pending = buildExport({ ...world, leaves: claimed });
    expect(await verify(pending.lines)).toMatchObject({ status: 'incomplete', pending: 1 });
    const later = [...buildExportLines({ ...pending.parts, exportedAt: world.exportedAt + 89_999 })];
    expect(await wrongOf(later, { now: world.exportedAt + 120_000 })).toMatchObject({
      id: 'con-39#0',
      what: 'it changed longer ago than the merge delay, and the log does not say so',
    });
  });

  it('gives no time in the future', async () => {
    expect(await wrongOf(exportedLater(600_000))).toMatchObject({ kind: 'header', what: 'it was made in the future' });
  });
});

const claimedForm = (fixed: object): object => {
  const { settledAt: _at, output: _output, outputOrigin: _origin, ...rest } = fixed as Record<string, unknown>;
  return { ...rest, state: 'claimed' };
};

describe('a key', () => {
  const rotationAt = (): number => world.leaves.findIndex(({ kind }) => kind === 'rotation');
  const rekeyed = (newKey: string): World => {
    const at = rotationAt();
    const oldKey = textOf(FIRST_KEY);
    const leaf = {
      ...(world.leaves[at] as Leaf),
      oldKey,
      newKey,
      hash: recordHash('rotation', { v: 1, oldKey, newKey }),
    };
    return { ...world, leaves: world.leaves.with(at, leaf as Leaf) };
  };

  it.each<[string, () => string]>([
    ['before', () => textOf(FIRST_KEY)],
    ['after', () => textOf(SECOND_KEY)],
  ])('from %s a rotation verifies the whole log', async (_, key) => {
    expect(await wrongOf(built.lines, { key: key() })).toBe('verified');
  });

  it('that never signed the log verifies nothing', async () => {
    expect(await wrongOf(built.lines, { key: textOf(FORGERS_KEY) })).toMatchObject({
      kind: 'key',
      what: 'the given key never signed this log',
    });
  });

  it('that a forger put in place of the old one was not signed by the old one', async () => {
    const forged = buildExport(rekeyed(textOf(FORGERS_KEY)), [FORGERS_KEY]);
    expect(await wrongOf(forged.lines, { key: textOf(FIRST_KEY) })).toMatchObject({
      kind: 'checkpoint',
      what: `the key ${FIRST_KEY.verifier.id} did not sign it`,
    });
  });

  it('must sign together with the one it replaces', async () => {
    const alone = buildExport(world, [SECOND_KEY]);
    expect(await wrongOf(alone.lines)).toMatchObject({
      kind: 'checkpoint',
      what: `the key ${FIRST_KEY.verifier.id} did not sign it`,
    });
  });

  it('that is none, or of another log, is refused where it is logged', async () => {
    expect(await wrongOf(buildExport(rekeyed('none')).lines)).toMatchObject({ kind: 'rotation', index: rotationAt() });
  });
});

describe('a file', () => {
  it.each<[string, (lines: readonly string[]) => readonly string[], string]>([
    ['with more after its end', (lines) => [...lines, '{"type":"end"}'], 'it comes after the end'],
    ['without a header', (lines) => lines.slice(1), 'the header is missing'],
    ['with a line that is no JSON', (lines) => lines.with(3, '{'), 'it is not JSON'],
    ['with a line that is no object', (lines) => lines.with(3, '[]'), 'it is not a JSON object'],
    ['with a line of another kind', (lines) => lines.with(3, '{"type":"note"}'), 'it is of no known kind'],
    [
      'with a record among the leaves',
      (lines) => lines.toSpliced(4, 0, '{"type":"record","kind":"effect","id":"x","fixed":{}}'),
      'it has 2 leaves, and the header says 108',
    ],
    [
      'of another version',
      (lines) => lines.with(0, (lines[0] as string).replace('"version":1', '"version":2')),
      'this is not an evidence export of a known version',
    ],
    ['with two headers', (lines) => [lines[0] as string, ...lines], 'it is there twice'],
  ])('%s is refused', async (_, change, what) => {
    expect(await verify(change(built.lines))).toMatchObject({ status: 'wrong', wrong: { what } });
  });

  it('that ends anywhere before its end is cut, and not wrong', async () => {
    const what = 'the file ends here, and is not at its end: copy or export it again';
    for (const [at, line] of built.lines.entries())
      for (const rest of [[], [line.slice(0, line.length / 2)]]) {
        const lines = [...built.lines.slice(0, at), ...rest];
        expect(await verify(lines, { key: textOf(FIRST_KEY), anchor: built.anchor })).toStrictEqual({
          status: 'cut',
          wrong: { kind: 'file', id: `line ${lines.length}`, index: null, what },
        });
      }
  });

  it('that withholds an action which is no card says so, and a changed record is wrong all the same', async () => {
    const withhold = (lines: readonly string[]) =>
      lines.map((text) => {
        const line = JSON.parse(text);
        if (line.kind !== 'decision' || line.id !== 'con-12') return text;
        line.content.actions[0] = { isWithheld: true, facts: line.content.actions[0].facts };
        return JSON.stringify(line);
      });
    expect(await verify(withhold(built.lines), { anchor: built.anchor })).toMatchObject({
      status: 'withheld',
      hidden: 1,
      missing: [expect.stringContaining('1 action is withheld, and no approval card, first in the decision con-12')],
    });
    const changed = withhold(built.lines).map((line) => line.replace('sent 30', 'sent 31'));
    expect(await verify(changed, { anchor: built.anchor })).toMatchObject({
      status: 'wrong',
      wrong: { kind: 'effect', id: 'con-30#0' },
    });
  });
});
