/** Reads on in a long output of the running turn alone, with the origin it came with (I13). */
import * as z from 'zod/mini';
import { ProtocolError } from '../base/errors.ts';
import { KIB } from '../base/limits.ts';
import { chainOf } from '../signal/ids.ts';
import { parseOutputId } from './long-output.ts';
import { defineTool } from './tool.ts';

export const OUTPUT_PIECE_CHARS = 4 * KIB;

export const readOutput = defineTool({
  name: 'read-output',
  description:
    'Read on in a long output of this turn: its id and the character to begin at, as the output itself says.',
  sentence: () => 'Read on in a long result',
  args: z.strictObject({
    id: z.string().check(z.minLength(1), z.maxLength(256)),
    from: z.optional(z.int().check(z.nonnegative())),
  }),
  tier: 'allow',
  kind: 'read',
  outputOrigin: 'objects',
  run: async ({ id, from = 0 }, { signalId, records }) => {
    const root = parseOutputId(id)?.signalId.split('/')[0];
    if (root === undefined || root !== chainOf(signalId)[0])
      throw new ProtocolError('no output of this turn has this id');
    const output = await records.loadOutput(id);
    if (output === undefined) throw new ProtocolError('no output of this turn has this id');
    const piece = output.text.slice(from, from + OUTPUT_PIECE_CHARS);
    const end = from + piece.length;
    const where =
      piece === ''
        ? `(it ends at ${output.text.length})`
        : `(characters ${from} to ${end} of ${output.text.length}${end < output.text.length ? `; read on from ${end}` : '; this is its end'})`;
    return { output: `${where}\n${piece}`, origin: output.origin };
  },
});
