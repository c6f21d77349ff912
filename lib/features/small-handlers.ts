/**
 * The handlers of features with few verbs, loaded together: a chunk for each costs the start of a
 * function more than it saves.
 */
export { CONSENT_HANDLERS } from './consent/handlers.ts';
export { FORGETTING_HANDLERS } from './forgetting/handlers.ts';
export { LINE_HANDLERS } from './lines/handlers.ts';
export { findHelp } from './manual/answer.ts';
export { MCP_HANDLERS } from './mcp/handlers.ts';
export { MONEY_HANDLERS } from './money/handlers.ts';
export { NEWS_HANDLERS } from './news/handlers.ts';
export { OUTLINE_HANDLERS } from './outlines/handlers.ts';
export { OUTPUT_HANDLERS } from './output/handlers.ts';
export { PLAN_HANDLERS } from './plans/handlers.ts';
export { PROVIDER_HANDLERS } from './providers/handlers.ts';
export { RECEIPT_HANDLERS } from './receipts/handlers.ts';
export { SUBSCRIPTION_HANDLERS } from './subscriptions/handlers.ts';
export { UNDO_HANDLERS } from './undo/handlers.ts';
export { VOICE_HANDLERS } from './voice/handlers.ts';
