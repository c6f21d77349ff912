/**
 * The gate sets of an export: a version is the hash over its gates, and a skill's gate names its
 * code by hash. The code lets anybody judge again as it was judged then.
 */
import { hash } from 'node:crypto';
import { hashOf } from '../../base/canonical.ts';
import { type Fields, fail, hasExactly, readFields, readList, readText } from './fields.ts';

interface NamedCode {
  /** The first gate that names it. */
  readonly gate: string;
  isThere: boolean;
}

export interface GateSets {
  /** Names of the gates of each version. */
  readonly names: Map<string, readonly string[]>;
  /** By the hash of the code. */
  readonly code: Map<string, NamedCode>;
}

export const startGateSets = (): GateSets => ({ names: new Map(), code: new Map() });

/** Version of a gate whose code nobody could read: it blocked, and has no code here. */
const UNREADABLE_VERSION = 0;

export const addGateSet = ({ names, code }: GateSets, line: Fields): void => {
  const version = readText(line, 'version') ?? '';
  const content = readFields(line.content) ?? {};
  if (hashOf('gate-set', content) !== version || !hasExactly(content, ['engine', 'gates', 'problem']))
    fail('gate-set', version, null, 'its gates are not the ones of its version');
  if (names.has(version)) fail('gate-set', version, null, 'it is there twice');
  const gates = (readList(content, 'gates') ?? []).map((gate): readonly unknown[] =>
    Array.isArray(gate) ? gate : [''],
  );
  names.set(
    version,
    gates.map(([name]) => String(name)),
  );
  for (const [name, , gateVersion, sha256] of gates)
    if (typeof sha256 === 'string' && gateVersion !== UNREADABLE_VERSION && !code.has(sha256))
      code.set(sha256, { gate: String(name), isThere: false });
};

export const addGateCode = ({ code }: GateSets, line: Fields): void => {
  const sha256 = readText(line, 'sha256') ?? '';
  if (hash('sha256', readText(line, 'code') ?? '') !== sha256)
    fail('gate-code', sha256, null, 'it is not the code of its hash');
  const named = code.get(sha256);
  if (named === undefined || named.isThere)
    fail('gate-code', sha256, null, 'no gate set names it, or it is there twice');
  else named.isThere = true;
};

/** A sentence for each code that is not there. */
export const findMissingCode = ({ code }: GateSets): readonly string[] =>
  [...code].flatMap(([sha256, { gate, isThere }]) =>
    isThere ? [] : [`The gate ${gate} lacks its code ${sha256.slice(0, 12)}: its verdicts cannot be replayed.`],
  );
