/**
 * A schema that is made when it is first needed: for shapes that only some processes ever meet. Making one takes a tenth of a
 * millisecond, and a function waits for all that are made when its code is loaded.
 */
import type * as z from 'zod/mini';

export const lazySchema = <Schema extends z.ZodMiniType>(make: () => Schema): (() => Schema) => {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
};
