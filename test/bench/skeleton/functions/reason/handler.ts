import { reason } from '../../stages.ts';

export const handler = reason(process.env.ACT_QUEUE_URL);
