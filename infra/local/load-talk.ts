/** Loads what a start needs once everything runs. */
export const loadTalk = () => import('./lazy-talk.ts');
