/**
 * The signed log, checked anew (I1, I10): the Merkle tree of RFC 9162 over the leaves, the signed
 * notes of C2SP, and each record against the hash that its last leaf holds. Every checkpoint is the
 * root of the leaves before it, so nothing was rewritten; the newest is signed by the owner's key.
 */
import { createPublicKey, hash, type KeyObject, verify } from 'node:crypto';
import { fieldsOf, hashOf, parseJson, textOf } from './json.ts';
import type { Rule, Run } from './run.ts';

/** The prefixes of RFC 9162 keep leaves and nodes apart. */
export const hashLeaf = (leaf: string): Buffer => hash('sha256', `\u0000${leaf}`, 'buffer');

const NODE_PREFIX = Buffer.of(1);
export const hashNode = (left: Buffer, right: Buffer): Buffer =>
  hash('sha256', Buffer.concat([NODE_PREFIX, left, right]), 'buffer');

/** Roots of the tree's first `sizes` leaves, base64. @param sizes ascending */
export const rootsAt = (leaves: readonly string[], sizes: readonly number[]): readonly string[] => {
  const roots: string[] = [];
  // Complete subtrees, the largest first, as the set bits of the size have them.
  const range: Buffer[] = [];
  let next = 0;
  for (const [n, leaf] of leaves.entries()) {
    let node = hashLeaf(leaf);
    for (let index = n; index % 2 === 1; index = (index - 1) / 2) node = hashNode(range.pop() ?? node, node);
    range.push(node);
    for (; sizes[next] === n + 1; next += 1)
      roots.push(range.reduceRight((right, left) => hashNode(left, right)).toString('base64'));
  }
  return roots;
};

/** X.509 puts this before the 32 bytes of an Ed25519 key (RFC 8410). */
const KEY_PREFIX = Buffer.from('302a300506032b6570032100', 'hex');
const keys = new Map<string, KeyObject>();

/** @param text `<name>+<id>+<base64 of 0x01 and the key>` */
const openKey = (text: string): KeyObject => {
  const known = keys.get(text);
  if (known !== undefined) return known;
  const raw = Buffer.from(text.split('+').slice(2).join('+'), 'base64').subarray(1);
  const key = createPublicKey({ key: Buffer.concat([KEY_PREFIX, raw]), format: 'der', type: 'spki' });
  keys.set(text, key);
  return key;
};

/** Bytes before the signature that name the key. */
const KEY_ID_BYTES = 4;

export const isSigned = (note: string, publicKey: string): boolean => {
  const split = note.lastIndexOf('\n\n');
  const [name = '', id = ''] = publicKey.split('+');
  const line =
    note
      .slice(split + 2)
      .split('\n')
      .find((one) => one.startsWith(`— ${name} `)) ?? '';
  const signature = Buffer.from(line.slice(line.lastIndexOf(' ') + 1), 'base64');
  if (signature.subarray(0, KEY_ID_BYTES).toString('hex') !== id) return false;
  return verify(null, Buffer.from(note.slice(0, split + 1)), openKey(publicKey), signature.subarray(KEY_ID_BYTES));
};

const checkTree = ({ evidence: { leaves, checkpoints }, observed: { publicKey } }: Run): readonly string[] => {
  const read = checkpoints.map((note) => note.split('\n'));
  const sizes = read.map(([, size]) => Number(size));
  const newest = checkpoints.at(-1);
  if (newest === undefined) return leaves.length === 0 ? [] : ['the export has leaves and no checkpoint'];
  const wrong: string[] = [];
  if (sizes.at(-1) !== leaves.length)
    wrong.push(`the newest checkpoint covers ${sizes.at(-1)} leaves, and the export has ${leaves.length}`);
  const roots = rootsAt(leaves, sizes);
  for (const [n, [, size, root]] of read.entries())
    if (roots[n] !== root) wrong.push(`the leaves do not give the root of the checkpoint of size ${size}`);
  if (!isSigned(newest, publicKey)) wrong.push('the newest checkpoint is not signed by the key of the log');
  return wrong;
};

const checkRecords = ({ evidence: { leaves, records, hasEnd } }: Run): readonly string[] => {
  const wrong: string[] = [];
  const last = new Map<string, { index: number; hash: string }>();
  for (const [index, text] of leaves.entries()) {
    const leaf = fieldsOf(parseJson(text));
    last.set(`${textOf(leaf.kind)} ${textOf(leaf.id)}`, { index, hash: textOf(leaf.hash) });
  }
  const seen = new Set<string>();
  for (const { kind, id, fixed, leaf } of records) {
    const name = `${kind} ${id}`;
    const found = last.get(name);
    if (seen.has(name)) wrong.push(`the ${name} is exported twice`);
    seen.add(name);
    if (found === undefined || found.index !== leaf) wrong.push(`the ${name} has no leaf, or not its last`);
    else if (found.hash !== hashOf(`${kind}-record`, fixed)) wrong.push(`the ${name} is not the one its leaf is of`);
  }
  for (const name of last.keys())
    if (!seen.has(name) && !/^(rotation|right) /.test(name)) wrong.push(`the ${name} has a leaf and is not exported`);
  if (!hasEnd) wrong.push('the export is cut: its last line is missing');
  return wrong;
};

/** Each cosignature is one that the witness gave; if nothing went wrong, the log shows one. */
const checkCosigned = ({ evidence: { checkpoints }, observed: { received, troubles } }: Run): readonly string[] => {
  const given = received.filter(({ server, isPerformed }) => server === 'witness' && isPerformed);
  const known = new Set(given.map(({ answer }) => answer.body.trim()));
  const shown = checkpoints.flatMap((note) => note.split('\n').filter((line) => line.startsWith('— witness.')));
  const isLost = troubles.length > 0 || given.some(({ isAnswerLost }) => isAnswerLost);
  return [
    ...shown.filter((line) => !known.has(line)).map((line) => `no witness gave the cosignature ${line}`),
    ...(given.length > 0 && shown.length === 0 && !isLost ? ['a witness cosigned, and no checkpoint shows it'] : []),
  ];
};

export const log: Rule = {
  name: 'log',
  promise:
    'Each record is the one that its last leaf is of; the signed log was only ever appended to, and cosigned by witnesses alone.',
  check: (run) => [...checkTree(run), ...checkRecords(run), ...checkCosigned(run)],
};
