/**
 * Receipts: a true one, and each way of forging it, before the verifier of this program and the two
 * of `lib/core/evidence/RECEIPTS.md`, in Python and Go, which are taken from the page as a reader
 * would.
 */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { ROOT } from '../../../infra/bundling.ts';
import { canonicalJson } from '../../../lib/core/base/canonical.ts';
import { parseCheckpoint } from '../../../lib/core/evidence/checkpoint.ts';
import { parseWitnessKey, renderWitnessKey } from '../../../lib/core/evidence/cosignature.ts';
import { leafHash } from '../../../lib/core/evidence/merkle.ts';
import { buildProof, inclusionNodes } from '../../../lib/core/evidence/proofs.ts';
import { type RecordKind, recordHash } from '../../../lib/core/evidence/record-hash.ts';
import { signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { readNode, tilePath } from '../../../lib/core/evidence/tiles.ts';
import { verifyReceipt } from '../../../lib/core/evidence/verifier/verify-receipt.ts';
import { cosign, NOW_SECONDS, WITNESS } from './cosign.ts';
import { buildExport, buildWorld, FIRST_KEY, FORGERS_KEY, ORIGIN, textOf } from './export-world.ts';

interface Line {
  kind: string;
  record: string;
  leaf: string;
  index: number;
  proof: string[];
}
interface Receipt {
  type: string;
  version: number;
  key: string;
  action?: string;
  records: Line[];
  checkpoint: string;
}

const PAGE = readFileSync(join(ROOT, 'lib/core/evidence/RECEIPTS.md'), 'utf8');
const VECTOR = join(ROOT, 'lib/core/evidence/receipt-vector.json');

const world = buildWorld(60);
const built = buildExport(world);
const [leaves, tiles] = [[...built.parts.leaves], [...built.parts.tiles]];
const bytesByPath = new Map(tiles.map(({ ref, bytes }) => [tilePath(ref), bytes]));
const size = leaves.length;

const lineOf = (name: string): Line => {
  const record = world.records.find(({ kind, id }) => `${kind} ${id}` === name);
  if (record?.leaf === undefined) throw new Error(`no ${name}`);
  const parts = inclusionNodes(record.leaf, size);
  const proof = buildProof(parts, (node) => readNode(node, size, (path) => bytesByPath.get(path)));
  return {
    kind: record.kind,
    record: canonicalJson(record.fixed),
    leaf: leaves[record.leaf] ?? '',
    index: record.leaf,
    proof: proof.map((hash) => Buffer.from(hash).toString('base64')),
  };
};
const approvalOf = (signal: string): string => JSON.parse(lineOf(`effect ${signal}#0`).record).approval;

const checkpointOf = (root: Uint8Array, key = FIRST_KEY): string =>
  cosign(signCheckpoint({ origin: ORIGIN, size, root }, [key]));
const root = parseCheckpoint(built.anchor).root;
const contentOf = (id: string): { actions: { action: object }[] } =>
  JSON.parse(JSON.stringify(world.records.find((one) => one.kind === 'decision' && one.id === id)?.content));

const receiptOf = (signal: string): Receipt => ({
  type: 'passepartout-receipt',
  version: 1,
  key: textOf(FIRST_KEY),
  action: canonicalJson(contentOf(signal).actions[0]?.action),
  records: [lineOf(`decision ${signal}`), lineOf(`approval ${approvalOf(signal)}`), lineOf(`effect ${signal}#0`)],
  checkpoint: checkpointOf(root),
});
const TRUE = receiptOf('con-13');

/** A record changed, with a leaf that holds its new hash: only the tree can tell. */
const rewritten = (line: Line, change: (record: Record<string, unknown>) => void): Line => {
  const record = JSON.parse(line.record);
  change(record);
  const leaf = { ...JSON.parse(line.leaf), hash: recordHash(line.kind as RecordKind, record) };
  return { ...line, record: canonicalJson(record), leaf: canonicalJson(leaf) };
};

type Forge = (receipt: Receipt) => void;
const at = (receipt: Receipt, n: number): Line => receipt.records[n] as Line;
const FORGERIES: readonly (readonly [name: string, why: string, forge: Forge])[] = [
  [
    'another action beside the same hash',
    'the text has another hash',
    (r) => (r.action = `${r.action}`.replace('Report 13', 'Report 14')),
  ],
  ['the action of another receipt', 'the text has another hash', (r) => (r.action = receiptOf('con-23').action ?? '')],
  ['the approval left out', 'the effect names one', (r) => r.records.splice(1, 1)],
  [
    'the approval of another action',
    'it is not the one of the effect',
    (r) => r.records.splice(1, 1, at(receiptOf('con-23'), 1)),
  ],
  [
    'the approval from before it was spent',
    'its hash is not the one in the leaf',
    (r) => (at(r, 1).record = at(r, 1).record.replace('"spent"', '"approved"')),
  ],
  [
    'another approver',
    'its hash is not the one in the leaf',
    (r) => (at(r, 1).record = at(r, 1).record.replace('"decider":"owner"', '"decider":"thief"')),
  ],
  [
    'another outcome',
    'its hash is not the one in the leaf',
    (r) => (at(r, 2).record = at(r, 2).record.replace('"done"', '"failed"')),
  ],
  [
    'a gate that asked now passes',
    'its hash is not the one in the leaf',
    (r) => (at(r, 0).record = at(r, 0).record.replaceAll('"verdict":"ask"', '"verdict":"pass"')),
  ],
  [
    'another outcome, and a leaf to fit',
    'the tree does not hold the leaf',
    (r) =>
      r.records.splice(
        2,
        1,
        rewritten(at(r, 2), (one) => (one.state = 'failed')),
      ),
  ],
  [
    'the decision of another signal',
    'its action is not the one of the effect',
    (r) => r.records.splice(0, 1, at(receiptOf('con-3'), 0)),
  ],
  ['the effect left out', 'a record is missing', (r) => r.records.splice(2, 1)],
  ['a record twice', 'there may be one of each', (r) => r.records.push(at(r, 2))],
  ['another place in the log', 'the proof leads elsewhere', (r) => (at(r, 2).index += 1)],
  ['a proof with a step too few', 'the proof leads elsewhere', (r) => at(r, 2).proof.pop()],
  [
    'another root',
    'the signature does not fit',
    (r) =>
      (r.checkpoint = r.checkpoint.replace(
        /\n[^\n]{44}\n/,
        `\n${Buffer.from(leafHash(Buffer.of(1))).toString('base64')}\n`,
      )),
  ],
  [
    'a checkpoint by another key',
    'the known key did not sign it',
    (r) => Object.assign(r, { checkpoint: checkpointOf(root, FORGERS_KEY), key: textOf(FORGERS_KEY) }),
  ],
  [
    'a cosignature with another time',
    'the cosignature does not fit',
    (r) =>
      (r.checkpoint = cosign(
        signCheckpoint({ origin: ORIGIN, size, root }, [FIRST_KEY]),
        NOW_SECONDS + 1,
        NOW_SECONDS,
      )),
  ],
];

const folder = mkdtempSync(join(tmpdir(), 'passepartout-receipt-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const has = (command: string, ...words: readonly string[]): boolean => spawnSync(command, words).status === 0;
const blockOf = (language: string): string => PAGE.split(`\n\`\`\`${language}\n`)[1]?.split('```')[0] ?? '';

/** The verifiers of the page, ready to run; undefined if their language is missing here. */
const preparePython = (): readonly string[] | undefined => {
  if (!has('python3', '--version') || !has('openssl', 'version')) return undefined;
  writeFileSync(join(folder, 'verify.py'), blockOf('python'));
  return ['python3', join(folder, 'verify.py')];
};
const prepareGo = (): readonly string[] | undefined => {
  if (!has('go', 'version')) return undefined;
  writeFileSync(join(folder, 'verify.go'), blockOf('go'));
  const made = spawnSync('go', ['build', '-o', join(folder, 'verify'), join(folder, 'verify.go')], {
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(made.stderr);
  return [join(folder, 'verify')];
};

const forged = ([, , forge]: (typeof FORGERIES)[number]): Receipt => {
  const receipt = structuredClone(TRUE);
  forge(receipt);
  return receipt;
};
const ARGUMENTS = [textOf(FIRST_KEY), renderWitnessKey(WITNESS.verifier)];
const options = { key: ARGUMENTS[0], witnesses: [parseWitnessKey(ARGUMENTS[1] ?? '')], atLeast: 1 };

describe('verifyReceipt', () => {
  it('says what a true receipt holds, with its action and without', () => {
    const found = verifyReceipt(JSON.stringify(TRUE), options);
    expect(found).toMatchObject({ status: 'verified', effect: { state: 'done' }, approval: { decider: 'owner' } });
    const { action: _left, ...hidden } = TRUE;
    expect(verifyReceipt(JSON.stringify(hidden), options)).toMatchObject({ status: 'verified', action: undefined });
    expect(verifyReceipt(JSON.stringify(TRUE), {})).toMatchObject({ status: 'consistent' });
    const uncosigned = { ...TRUE, checkpoint: signCheckpoint({ origin: ORIGIN, size, root }, [FIRST_KEY]) };
    expect(verifyReceipt(JSON.stringify(uncosigned), options)).toMatchObject({ status: 'incomplete', missing: 1 });
  });

  it.each(FORGERIES)('refuses %s: %s', (...row) => {
    expect(verifyReceipt(JSON.stringify(forged(row)), options)).toMatchObject({ status: 'wrong' });
  });

  it('is published with its vector and the table of its forgeries', () => {
    if (process.env.WRITE_VECTOR === '1') writeFileSync(VECTOR, `${JSON.stringify(TRUE, null, 2)}\n`);
    expect(JSON.parse(readFileSync(VECTOR, 'utf8'))).toStrictEqual(TRUE);
    for (const [name, why] of FORGERIES) expect(PAGE).toContain(`\n| ${name} | ${why} |`);
    for (const key of ARGUMENTS) expect(PAGE).toContain(key);
  });
});

describe.each([
  ['Python', 'python', preparePython],
  ['Go', 'go', prepareGo],
] as const)("the page's verifier in %s", (name, language, prepare) => {
  it('has at most 60 lines, takes the true receipt and refuses every forgery', { timeout: 300_000 }, ({ skip }) => {
    expect(
      blockOf(language)
        .split('\n')
        .filter((line) => line.trim() !== '').length,
    ).toBeLessThanOrEqual(60);
    const command = prepare();
    if (command === undefined) return skip(`${name} is missing: apt-get install python3 openssl golang`);
    const run = (receipt: object) => {
      writeFileSync(join(folder, 'receipt.json'), JSON.stringify(receipt));
      const [program = '', ...words] = [...command, join(folder, 'receipt.json'), ...ARGUMENTS];
      return spawnSync(program, words, { encoding: 'utf8' });
    };
    const { status, stdout, stderr } = run(TRUE);
    expect({ status, stderr, stdout }).toMatchObject({
      status: 0,
      stderr: '',
      stdout: expect.stringMatching(/^holds: done /),
    });
    expect(FORGERIES.filter((row) => run(forged(row)).status === 0).map(([forgery]) => forgery)).toStrictEqual([]);
  });
});
