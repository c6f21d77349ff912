import type { JsonObject } from '../../lib/core/base/json.ts';
import { collectMarks } from '../../lib/core/tools/marks.ts';
import type { FormContext, ToolForm } from '../../lib/core/tools/tool.ts';

/** The lines of a card, and those that it never folds. */
export const describeMarked = async (
  form: ToolForm,
  args: JsonObject,
  context: FormContext,
): Promise<{ readonly lines: readonly string[]; readonly notable: readonly string[] }> => {
  const { marked: notable, mark } = collectMarks();
  return { lines: await form.describe(args, context, mark), notable };
};
