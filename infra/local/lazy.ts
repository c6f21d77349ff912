/** The modules that a start loads while the functions are built. */
export * as database from './database.ts';
export { DEMO_MODEL_NAME, startDemoModel, startDemoWebhook } from './demo-model.ts';
export { startQueueServer } from './queues.ts';
