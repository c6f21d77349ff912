/** A witness for tests, which cosigns whatever it is given. */
import { sign } from 'node:crypto';
import { buildCosignature, buildWitnessKey, cosignedText } from '../../../lib/core/evidence/cosignature.ts';
import { parseNote, renderNote } from '../../../lib/core/evidence/signed-note.ts';
import { privateKeyOf, publicBytesOf } from '../../../lib/core/evidence/signing-key.ts';
import { NOW } from '../gates/samples.ts';

const KEY = privateKeyOf(Buffer.alloc(32, 9));
export const WITNESS = { verifier: buildWitnessKey('witness.example/one', publicBytesOf(KEY)) };
export const NOW_SECONDS = Math.floor(NOW / 1000);

/** @param said the time that the line says, if it is another one */
export const cosign = (note: string, seconds = NOW_SECONDS, said = seconds): string => {
  const { text, signatures } = parseNote(note);
  const signature = sign(null, Buffer.from(cosignedText(text, seconds)), KEY);
  return renderNote({ text, signatures: [...signatures, buildCosignature(WITNESS.verifier, said, signature)] });
};
