/** The modules that Act loads with its first call. Most turns are answered with a text. */
export { ACT_FEATURES } from '../features/act.ts';
export { noteBotName } from '../ledger/bot-name.ts';
export { buildContents } from '../store/contents.ts';
export { forgetAgain } from '../wings/forgetting/forget-again.ts';
export { forgetLate } from '../wings/forgetting/forget-late.ts';
export { buildHanding, withKeyPowers } from './key-context.ts';
export { loadCardFile } from './load-card-file.ts';
export { buildMcpActuator } from './mcp.ts';
export { offerWithout } from './offer-without.ts';
export { buildAttachmentPower, buildDocumentText } from './read-attachment.ts';
export { buildSayAloud } from './say-aloud.ts';
export { buildToolActuator } from './tool.ts';
export { buildToolSet } from './tool-set.ts';
export { buildWebhookActuator } from './webhook.ts';
