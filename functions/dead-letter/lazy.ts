/** Loaded with the first dead letter. Code alone decides here: gates of skills do not judge. */
export { GATE_SET } from '../../lib/core/gates/engine/gate-set.ts';
export { recordDeadLetter } from '../../lib/core/stages/upkeep/dead-letter.ts';
