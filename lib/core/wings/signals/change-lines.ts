/** The part of a signal in features, such as jobs and machines, as far as it can be read. Pure. */
import { ROW_LINES } from '../../../features/row-lines.ts';
import { readOrSkip } from '../../store/parse-stored.ts';
import type { Item } from '../../store/table.ts';

const lineOf = (item: Item): string | undefined =>
  ROW_LINES.find(({ prefix }) => String(item.sk).startsWith(prefix))?.describe(item);

/** @param items everything stored under the signal */
export const changeLines = (items: readonly Item[]): readonly string[] =>
  items.flatMap((item) => readOrSkip(item, lineOf) ?? []);
