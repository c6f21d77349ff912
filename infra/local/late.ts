/** What a start loads while the functions are built, and after it. */

export { findSilence } from '../../lib/wings/signals/findings.ts';
export { WINGS } from '../../lib/wings/wings.ts';
export { loadHealth } from '../cli/client.ts';
export { runChat } from '../cli/commands/chat.ts';
export * as database from './database.ts';
export { DEMO_MODEL_NAME, startDemoModel, startDemoWebhook } from './demo-model.ts';
export { startQueueServer } from './queues.ts';
