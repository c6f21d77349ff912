/** An argument that is one of a few words, in any case. Its schema names them. */
import * as z from 'zod/mini';

export const oneOf = <const Words extends readonly string[]>(words: Words) =>
  z.pipe(z.string().check(z.toLowerCase(), z.meta({ enum: [...words] })), z.enum(words));
