/** The type of `fields` without `undefined`: a field that may be undefined becomes optional. */
type Defined<T> = {
  [K in keyof T as undefined extends T[K] ? never : K]: T[K];
} & {
  [K in keyof T as undefined extends T[K] ? K : never]?: Exclude<T[K], undefined>;
};

/** Pure. The fields that have a value, in their order; `null`, `false`, `0` and `''` are values. */
// The cast is what the filter has made true, which the compiler cannot see.
export const defined = <T extends object>(fields: T): Defined<T> =>
  Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Defined<T>;
