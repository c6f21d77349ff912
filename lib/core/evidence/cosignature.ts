/**
 * Cosignatures of witnesses, as C2SP tlog-cosignature has them (`cosignature/v1`, Ed25519): a
 * witness says that at this time it saw the checkpoint, and that the log only grew until then. They
 * are further signature lines of the checkpoint's note. Pure. Belongs to the offline verifier:
 * imports only notes and errors.
 */
import { ProtocolError } from '../base/errors.ts';
import {
  buildVerifierKey,
  isSigned,
  type NoteSignature,
  parseKeyOfType,
  renderVerifierKey,
  type SignedNote,
  type VerifierKey,
} from './signed-note.ts';

const COSIGNATURE = 0x04;
/** Seconds since 1970, before the 64 bytes of Ed25519. */
const TIME_BYTES = 8;
const COSIGNATURE_BYTES = 72;

/** A witness, and when it saw the checkpoint, epoch milliseconds. */
export interface Cosigned {
  readonly key: VerifierKey;
  readonly at: number;
}

/** @throws ProtocolError if the text is no key of a witness */
export const parseWitnessKey = (text: string): VerifierKey => parseKeyOfType(text, COSIGNATURE);
export const renderWitnessKey = (key: VerifierKey): string => renderVerifierKey(key, COSIGNATURE);
export const buildWitnessKey = (name: string, publicKey: Uint8Array): VerifierKey =>
  buildVerifierKey(name, publicKey, COSIGNATURE);

/** The bytes that a witness signs. */
export const cosignedText = (text: string, seconds: number): string => `cosignature/v1\ntime ${seconds}\n${text}`;

export const buildCosignature = ({ name, id }: VerifierKey, seconds: number, signature: Uint8Array): NoteSignature => {
  const time = Buffer.alloc(TIME_BYTES);
  time.writeBigUInt64BE(BigInt(seconds));
  return { name, keyId: id, signature: Buffer.concat([time, signature]) };
};

/** Whether it has the length of a cosignature, by whatever witness. */
export const isCosignature = ({ signature }: NoteSignature): boolean => signature.length === COSIGNATURE_BYTES;

/** The witnesses that cosigned, each once. @throws ProtocolError if one's line does not fit */
export const cosignersOf = (note: SignedNote, keys: readonly VerifierKey[]): readonly Cosigned[] =>
  keys.flatMap((key): readonly Cosigned[] => {
    const line = note.signatures.find(({ name, keyId }) => name === key.name && keyId === key.id);
    if (line === undefined) return [];
    const bytes = Buffer.from(line.signature);
    const seconds = bytes.length === COSIGNATURE_BYTES ? Number(bytes.readBigUInt64BE()) : 0;
    if (!isSigned(cosignedText(note.text, seconds), bytes.subarray(TIME_BYTES), key))
      throw new ProtocolError(`the cosignature of ${key.name} does not fit`);
    return [{ key, at: seconds * 1000 }];
  });
