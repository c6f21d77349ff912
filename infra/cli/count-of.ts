/** How many of something, as people read it: `1 file`, `2 files`, `3 leaves`. Pure. */
export const countOf = (count: number, one: string, many = `${one}s`): string => `${count} ${count === 1 ? one : many}`;
