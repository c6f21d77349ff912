/** The modules that the console loads with the first request that needs them. */

export { CONSOLE_PARTS } from '../../../features/console-parts.ts';
export { cardWords } from '../../judge/card.ts';
export { importCedar } from '../../judge/code/cedar-engine.ts';
export { loadRules } from '../../judge/rules-learned.ts';
export { findingTexts } from '../../language/finding-texts.ts';
export { storedSentences } from '../../language/stored-sentences.ts';
export { buildReadMemory } from '../../memory/read-memory.ts';
export { sayView } from '../../wings/signals/say-view.ts';
export { signalTexts } from '../../wings/signals/texts.ts';
export * as evidence from './evidence.ts';
export { listSignals } from './find-signals.ts';
export { redriveSignal, resolveEffect } from './go-on.ts';
export * as memory from './memory.ts';
export { buildOpenApi } from './openapi.ts';
export { streamSignal } from './stream.ts';
