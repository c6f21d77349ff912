/** The verb of news: the lines that no chat got one by one. */
import * as z from 'zod/mini';
import type { Look } from '../../core/operations/operation.ts';

export const news = {
  kind: 'look',
  name: 'news',
  summary: 'the newest texts of jobs and services that came in one message, whole; of one source or of all',
  args: z.strictObject({
    source: z.optional(z.string().check(z.maxLength(64), z.describe('name of the job or service'))),
  }),
  words: ['source'],
  data: z.looseObject({
    /** Newest first. */
    news: z.array(
      z.looseObject({
        /** The signal that said it: `why` explains it. */
        id: z.string(),
        source: z.string(),
        at: z.int(),
        /** Untrusted, unless a job of yours wrote it from your own words alone. */
        text: z.string(),
      }),
    ),
    /** Lines of these digests that are older, and only counted. */
    older: z.int(),
  }),
  needs: 'owner',
  where: 'named',
} as const satisfies Look;

export const NEWS_OPERATIONS = [news] as const;
