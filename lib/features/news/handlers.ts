/** The answer to `/news`. No link that others wrote can be opened in it. */
import { localTime } from '../../core/base/clock.ts';
import { type Digest, digestsPartition, parseDigest, sourceOf } from '../../core/ledger/digests.ts';
import { type Handler, type LookContext, look } from '../../core/operations/operation.ts';
import { readOrSkip } from '../../core/store/parse-stored.ts';
import { defang } from '../../core/text/tappable.ts';
import { loadNewsLines } from './news-lines.ts';
import { news } from './operations.ts';
import { newsTexts } from './texts.ts';

/** Digests looked through: those of some busy days. */
const DIGESTS_READ_MAX = 200;
/** A chat shows no more at once. */
const NEWS_SHOWN_MAX = 50;

const loadDigests = async ({ table, space }: LookContext, source: string | undefined): Promise<readonly Digest[]> => {
  const { items } = await table.query({ pk: digestsPartition(space), isDescending: true, limit: DIGESTS_READ_MAX });
  return items
    .flatMap((item) => readOrSkip(item, parseDigest) ?? [])
    .filter(({ session }) => source === undefined || sourceOf(session) === source);
};

export const NEWS_HANDLERS: readonly Handler[] = [
  look(news, async (context, { source }) => {
    const say = await newsTexts.in(context.language);
    const digests = await loadDigests(context, source);
    const newest = digests
      .flatMap(({ session, newest: lines }) =>
        lines.toReversed().map((line) => ({ ...line, source: sourceOf(session) })),
      )
      .sort((a, b) => b.at - a.at)
      .slice(0, NEWS_SHOWN_MAX);
    const loaded = await loadNewsLines(context.table, context.space, { newest });
    const shown = newest.map(({ id, source: from, at }, n) => {
      const { text = '', origin = 'outside' } = loaded[n] ?? {};
      return { id, source: from, at, text, isOutside: origin === 'outside' };
    });
    const older = digests.reduce((sum, { lines }) => sum + lines, 0) - shown.length;
    const lines = shown.map(
      ({ source: from, at, text, isOutside }, n) =>
        `${localTime(say, at, context.zone)} ${from}: ${loaded[n]?.decision === undefined ? say.forgotten : isOutside ? defang(text) : text}`,
    );
    return {
      data: { news: shown.map(({ isOutside: _marked, ...one }) => one), older },
      lines: lines.length === 0 ? [say.none] : [...lines, ...(older > 0 ? [say.older(older)] : [])],
    };
  }),
];
