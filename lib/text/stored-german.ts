/** Says stored sentences in German; `stored-sentences.ts` says which those are. Pure. */
import { REASONS } from './reasons-german.ts';
import { buildSpeaker } from './stored-sentences.ts';

export const inGerman = buildSpeaker([...REASONS]);
