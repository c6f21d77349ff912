/**
 * Asks witnesses to cosign a checkpoint (C2SP tlog-witness, `add-checkpoint`): each sees that the
 * log only grew since it last looked, so that nobody can be shown another log. One that does not
 * answer costs a few seconds and is left alone for longer each time. One that refuses has seen
 * another log under our key, or was told of another key: that is an alarm.
 */
import * as z from 'zod/mini';
import { ConfigError, ProtocolError } from '../../core/base/errors.ts';
import { readJson } from '../../core/base/json.ts';
import { HOUR_MS, KIB, MINUTE_MS, SECOND_MS } from '../../core/base/limits.ts';
import { cosignersOf, parseWitnessKey } from '../../core/evidence/cosignature.ts';
import { consistencyNodes } from '../../core/evidence/proofs.ts';
import { parseNote, renderNote, type SignedNote, type VerifierKey } from '../../core/evidence/signed-note.ts';
import { buildOutgoingFetch } from '../../core/http/outgoing.ts';
import type { CosignDeps, Cosigner } from '../../core/log/cosigner.ts';
import { loadProof } from '../../core/log/load-proof.ts';
import { StoredCheckpoint } from '../../core/log/stored.ts';
import { logKeys } from '../../core/store/keys.ts';
import { loadItem } from '../../core/store/load-named.ts';
import { parseStored } from '../../core/store/parse-stored.ts';
import { noteWitnessProblems } from './witness-problems.ts';

/** A checkpoint has room for 16 signatures: two of its log, and these. */
const WITNESSES_MAX = 8;
/** Of one answer; two at most are asked for, while the log's writer waits. */
const WITNESS_TIMEOUT_MS = 4 * SECOND_MS;
const WITNESS_ANSWER_BYTES_MAX = 16 * KIB;
/** A witness that is away is asked again after a minute, then after twice as long each time. */
const WITNESS_PAUSE_MS_MAX = HOUR_MS;

interface Witness {
  readonly key: VerifierKey;
  readonly url: string;
  /** Leaves that it has seen; the first answer corrects it. */
  size: number;
  failures: number;
  /** Why the last answer was no cosignature; empty if there was none. */
  problem: string | undefined;
  /** Not asked before, epoch milliseconds. */
  pausedUntil: number;
}

type WitnessAnswer =
  | { readonly kind: 'cosigned'; readonly line: SignedNote['signatures'][number] }
  | { readonly kind: 'refused' | 'away'; readonly why: string };

const AWAY = { kind: 'away', why: 'does not answer' } as const;

const Addresses = z.record(z.string(), z.string());

/** @param text of WITNESSES @returns a problem as text */
export const parseWitnesses = (text: string): readonly Pick<Witness, 'key' | 'url'>[] | string => {
  const entries = Object.entries(Addresses.safeParse(readJson(text)).data ?? { '': '' });
  if (entries.length > WITNESSES_MAX) return `must be at most ${WITNESSES_MAX} witnesses`;
  try {
    return entries.map(([key, url]) => {
      if (!/^https?:$/.test(new URL(url).protocol)) throw new ProtocolError('this is no web address');
      return { key: parseWitnessKey(key), url: url.replace(/\/$/, '') };
    });
  } catch {
    return 'must be JSON: key of a witness → its web address';
  }
};

type AskWitness = (
  witness: Witness,
  checkpoint: { readonly size: number; readonly note: string },
) => Promise<WitnessAnswer>;

const fetchAnswer = buildOutgoingFetch({ peer: 'a witness', bytesMax: WITNESS_ANSWER_BYTES_MAX });

const buildAsk =
  ({ table, space }: CosignDeps): AskWitness =>
  async (witness, { size, note }) => {
    const { key, url } = witness;
    for (let tries = 0; tries < 2; tries += 1) {
      const proof = await loadProof(table, space, consistencyNodes(witness.size, size), size);
      const lines = [`old ${witness.size}`, ...proof.map((hash) => Buffer.from(hash).toString('base64')), '', note];
      const signal = AbortSignal.timeout(WITNESS_TIMEOUT_MS);
      const answer = await fetchAnswer(`${url}/add-checkpoint`, { method: 'POST', body: lines.join('\n'), signal });
      const text = await answer.text();
      if (answer.status === 200) {
        const own = parseNote(`${note}${text}`);
        const [cosigned] = cosignersOf(own, [key]);
        const line = own.signatures.find(({ keyId, name }) => keyId === key.id && name === key.name);
        if (cosigned === undefined || line === undefined)
          return { kind: 'refused', why: 'is not to be trusted: it answers without its cosignature' };
        witness.size = size;
        return { kind: 'cosigned', line };
      }
      if (answer.status >= 500 || answer.status === 429) return AWAY;
      if (answer.status === 422)
        return {
          kind: 'refused',
          why: `refuses: this log of ${size} leaves does not continue the one that it has seen`,
        };
      const seen = /^(0|[1-9]\d{0,15})\n$/.exec(text)?.[1];
      if (answer.status !== 409 || seen === undefined)
        return { kind: 'refused', why: `refuses: it answers ${answer.status}` };
      if (Number(seen) > size)
        return { kind: 'refused', why: `refuses: it has seen ${seen} leaves of this log, which has ${size}` };
      witness.size = Number(seen);
    }
    return { kind: 'refused', why: 'refuses: it names another size each time' };
  };

/** It remembers what each witness has seen. @throws ConfigError */
export const buildWitnesses = (text: string, deps: CosignDeps): Cosigner => {
  const parsed = parseWitnesses(text);
  if (typeof parsed === 'string') throw new ConfigError([`WITNESSES: ${parsed}`]);
  const witnesses = parsed.map(
    (one): Witness => ({ ...one, size: 0, failures: 0, problem: undefined, pausedUntil: 0 }),
  );
  const { table, space, now, report } = deps;
  const ask = buildAsk(deps);
  /** Of the checkpoint, the witnesses that have not cosigned it. */
  let waiting: readonly Witness[] = witnesses;
  let hasNoted = true;

  const answerOf = async (witness: Witness, checkpoint: Parameters<AskWitness>[1]): Promise<WitnessAnswer> => {
    try {
      return await ask(witness, checkpoint);
    } catch (error) {
      // The proof or the answer does not hold; everything else is a connection.
      return error instanceof ProtocolError ? { kind: 'refused', why: `is not to be trusted: ${error.message}` } : AWAY;
    }
  };

  /** Asks those that have not cosigned the checkpoint of this size, and stores what they signed. */
  const cosign = async (size: number): Promise<void> => {
    const key = logKeys.checkpoint(space, size);
    const item = await loadItem(table, key);
    if (item === undefined) return;
    const stored = parseStored(item, StoredCheckpoint);
    const note = parseNote(stored.note);
    const missing = witnesses.filter(({ key: { id } }) => note.signatures.every(({ keyId }) => keyId !== id));
    const due = missing.filter(({ pausedUntil }) => pausedUntil <= now());
    const answers = await Promise.all(
      due.map(async (witness) => ({ witness, answer: await answerOf(witness, { size, note: stored.note }) })),
    );
    for (const { witness, answer } of answers) {
      witness.problem = answer.kind === 'cosigned' ? undefined : answer.why;
      witness.failures = answer.kind === 'cosigned' ? 0 : witness.failures + 1;
      const pauseMs = Math.min(WITNESS_PAUSE_MS_MAX, MINUTE_MS * 2 ** (witness.failures - 1));
      witness.pausedUntil = answer.kind === 'cosigned' ? 0 : now() + pauseMs;
      if (answer.kind === 'refused') report(`${witness.key.name}: ${answer.why}`);
    }
    const lines = answers.flatMap(({ answer }) => (answer.kind === 'cosigned' ? [answer.line] : []));
    if (lines.length > 0) {
      const cosigned = renderNote({ ...note, signatures: [...note.signatures, ...lines] });
      await table.put(key, { ...stored, note: cosigned });
    }
    waiting = missing.filter(({ problem, pausedUntil }) => problem !== undefined || pausedUntil > now());
    const problems = waiting.map(({ key: { name }, problem = '' }) => `${name} ${problem}`);
    if (due.length > 0 && (hasNoted || problems.length > 0)) await noteWitnessProblems(table, space, problems);
    hasNoted = problems.length > 0;
  };
  return { cosign, isDue: () => waiting.some(({ pausedUntil }) => pausedUntil <= now()) };
};

export const WITNESS_PARSERS = { WITNESSES: parseWitnesses } as const;
