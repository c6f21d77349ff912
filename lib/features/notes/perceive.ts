/** The part of notes in Perceive: trees and the cursor of an editor. */
import type { FeatureHooks, SensorHook } from '../../core/operations/hooks.ts';

const answer: SensorHook = async (context) => (await import('./memory-update.ts')).answerMemoryUpdate(context);

export const perceiveNotes: FeatureHooks = { sensors: { 'buffer-update': answer, 'point-update': answer } };
