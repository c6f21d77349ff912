import { perceive } from '../../stages.ts';

export const handler = perceive(process.env.REASON_QUEUE_URL);
