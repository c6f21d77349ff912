/** The modules that the console loads with the first request that needs them. */

export { CONSOLE_PARTS } from '../../../features/console-parts.ts';
export { cardWords } from '../../judge/card.ts';
export { importCedar } from '../../judge/code/cedar-engine.ts';
export { loadRules } from '../../judge/rules-learned.ts';
export { findingTexts } from '../../language/finding-texts.ts';
export { storedSentences } from '../../language/stored-sentences.ts';
export { makePairingCode } from '../../ledger/pairing-code.ts';
export { buildReadMemory } from '../../memory/read-memory.ts';
export { sayView } from '../../verbs/signals/say-view.ts';
export { signalTexts } from '../../verbs/signals/texts.ts';
export * as evidence from './evidence.ts';
export { LIST_HANDLERS } from './find-signals.ts';
export { GO_ON_HANDLERS, postRedrive, postResolution } from './go-on.ts';
export * as memory from './memory.ts';
export { buildOpenApi } from './openapi.ts';
export { listStopped, showSignal } from './show-signal.ts';
export { streamSignal } from './stream.ts';
