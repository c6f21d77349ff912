import { serve } from '../../stages.ts';

export const handler = serve(process.env.PERCEIVE_QUEUE_URL);
