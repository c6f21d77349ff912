/** The messages between Act and the function that reads documents. It loads no parser. Pure. */
import * as z from 'zod/mini';

export const DocumentRequest = z.strictObject({ hash: z.string().check(z.regex(/^[0-9a-f]{64}$/)) });

export const DocumentAnswer = z.union([
  z.strictObject({ text: z.string() }),
  z.strictObject({ why: z.string() }),
  /** The bytes are not in the store any more. */
  z.strictObject({ isGone: z.literal(true) }),
]);
export type DocumentAnswer = z.infer<typeof DocumentAnswer>;

export const NO_READER = 'no function here reads documents';

export type ReadBytes = (bytes: Uint8Array) => Promise<DocumentAnswer>;
