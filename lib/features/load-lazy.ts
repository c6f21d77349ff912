/** Loads code of features that few signals need, in one chunk for all of them. */
export const loadLazy = () => import('./lazy.ts');
