/**
 * A verifier nobody here wrote: Go's `sumdb/tlog` and `sumdb/note`, from the Debian packages
 * golang-go and golang-golang-x-mod-dev, read our checkpoint, entries, proofs and tiles. Without
 * them the test says that it was not run, and counts as skipped.
 */
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import {
  appendLeaves,
  EMPTY_RANGE,
  type Hash,
  leafHash,
  type NodeRef,
  rootOf,
} from '../../../lib/core/evidence/merkle.ts';
import { buildProof, consistencyNodes, inclusionNodes } from '../../../lib/core/evidence/proofs.ts';
import { parseNote, renderVerifierKey, signersOf } from '../../../lib/core/evidence/signed-note.ts';
import { buildSigningKey, signCheckpoint } from '../../../lib/core/evidence/signing-key.ts';
import { growTiles, readNode, tilePath } from '../../../lib/core/evidence/tiles.ts';
import { EMPTY_EDGE } from '../../support/empty-edge.ts';
import { entriesOf } from './trees.ts';

const GOPATH = '/usr/share/gocode';
const PROGRAM = fileURLToPath(new URL('./go/verify.go', import.meta.url));
const isPresent = existsSync(`${GOPATH}/src/golang.org/x/mod/sumdb/tlog`) && spawnSync('go', ['version']).status === 0;

const SIZE = 3_000;
const ORIGIN = 'passepartout/default';
/** Compiling Go's standard library for the first time on a busy machine. */
const TIMEOUT_MS = 600_000;

const key = buildSigningKey(ORIGIN, Buffer.alloc(32, 5));
const entries = entriesOf(SIZE);
const leaves = entries.map(leafHash);
const tiles = new Map(growTiles(EMPTY_EDGE, leaves).tiles.map(({ ref, bytes }) => [tilePath(ref), bytes]));
const hashAt = (node: NodeRef): Hash => readNode(node, SIZE, (path) => tiles.get(path));
const rootAt = (size: number): Hash => rootOf(appendLeaves(EMPTY_RANGE, leaves.slice(0, size)));
const encoded = (bytes: Uint8Array): string => Buffer.from(bytes).toString('base64');

const input = {
  Key: renderVerifierKey(key.verifier),
  Signer: key.render(),
  Checkpoint: signCheckpoint({ origin: ORIGIN, size: SIZE, root: rootAt(SIZE) }, [
    key,
    buildSigningKey(ORIGIN, Buffer.alloc(32, 6)),
  ]),
  Entries: entries.map(encoded),
  Inclusion: [0, 1, 255, 256, 257, 1_023, 2_047, 2_048, 2_559, 2_998, 2_999].map((index) => ({
    Index: index,
    Proof: buildProof(inclusionNodes(index, SIZE), hashAt).map(encoded),
  })),
  Consistency: [1, 2, 255, 256, 300, 2_048, 2_999, 3_000].map((older) => ({
    Older: older,
    Root: encoded(rootAt(older)),
    Proof: buildProof(consistencyNodes(older, SIZE), hashAt).map(encoded),
  })),
  Tiles: Object.fromEntries([...tiles].map(([path, bytes]) => [path, encoded(bytes)])),
};

const runGo = (given: object) =>
  spawnSync('go', ['run', PROGRAM], {
    input: JSON.stringify(given),
    encoding: 'utf8',
    env: { ...process.env, GOPATH, GO111MODULE: 'off', GOFLAGS: '' },
  });

const NOT_RUN = 'Go is missing: apt-get install golang golang-golang-x-mod-dev';

describe("Go's tlog and note", () => {
  it('agree with our checkpoint, root, proofs and tiles, and we with a note they signed', { timeout: TIMEOUT_MS }, ({
    skip,
  }) => {
    if (!isPresent) skip(NOT_RUN);
    const { status, stdout, stderr } = runGo(input);
    expect({ status, stderr }).toStrictEqual({ status: 0, stderr: '' });
    const { signed, ...counts } = JSON.parse(stdout) as { signed: string };
    expect(counts).toStrictEqual({ size: SIZE, inclusion: 11, consistency: 8 });
    const note = parseNote(signed);
    expect(note.text).toBe('from\nGo\n');
    expect(signersOf(note, [key.verifier])).toStrictEqual([key.verifier]);
  });

  it.for<[string, object]>([
    ['checkpoint', { ...input, Checkpoint: input.Checkpoint.replace('\n3000\n', '\n3001\n') }],
    ['entry', { ...input, Entries: input.Entries.with(1_500, encoded(Buffer.from('other'))) }],
    ['proof', { ...input, Inclusion: [{ ...input.Inclusion[3], Index: 255 }] }],
    ['tile', { ...input, Tiles: { ...input.Tiles, 'tile/0/003': input.Tiles['tile/0/004'] } }],
  ])('refuse another %s', { timeout: TIMEOUT_MS }, ([, changed], { skip }) => {
    if (!isPresent) skip(NOT_RUN);
    expect(runGo(changed).status).toBe(1);
  });
});
